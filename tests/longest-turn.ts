/**
 * @returns CPU time, which a busy machine doesn't stretch, of the longest turn of the event loop that
 *   the work took, in milliseconds
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let last = now()
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const turn = () => {
      const time = now()
      longest = Math.max(longest, time - last)
      last = time
      if (isOver) resolve()
      else setImmediate(turn)
    }
    setImmediate(turn)
  })
  await work()
  isOver = true
  await over
  return longest
}
