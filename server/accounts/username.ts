import { randomInt } from 'node:crypto'

const qualities = `amber ample bold brave bright calm candid clear clever cosy crisp curious dapper
  daring eager early easy fair fleet fond frank fresh gentle glad golden grand happy hardy honest
  humble jolly keen kind late light lively lucky mellow merry mild misty modest neat nimble noble
  open patient placid plain proud quick quiet ready rosy silent silver simple sly snug sober soft
  spry steady still sunny swift tidy true urban vivid warm wide wise witty young`.split(/\s+/)

const things = `acorn alder arrow aspen atlas badger beacon birch bookend brook candle canvas cedar
  chapter clover comet compass coral cricket dune ember falcon fern finch folio fox garden grove
  harbor hare hazel heron island ivy juniper kestrel lantern lark leaf ledger linden lynx maple
  margin marten meadow moth novel oak orchard otter owl page paper pebble pine plover poem puffin
  quill raven reed river robin rowan sable sage sparrow spruce stanza starling story swallow
  thistle thrush tulip verse vole volume willow wren`.split(/\s+/)

/**
 * A readable username: adjective-noun-number.
 *
 * @param tries how many suggestions were taken; the number grows with them
 */
export function suggestUsername(tries: number): string {
  const pick = (words: readonly string[]) => words[randomInt(words.length)]
  return `${pick(qualities)}-${pick(things)}-${randomInt(10, 100 * 10 ** Math.min(tries, 6))}`
}
