/*
 * A page is seen before its scripts are there. A button that is pressed meanwhile is pressed once
 * more when it can answer; links and forms need no help.
 */
const heard = 'octavo:heard'
const answers = 'octavo:answers'

/** Part of the page itself: keeps the button that was pressed last. */
export const earlyTapScript = `(function(){var early
function keep(event){early=event.target.closest('button:not([type=submit])')}
addEventListener('click',keep)
addEventListener('${heard}',function(){removeEventListener('click',keep)},{once:true})
addEventListener('${answers}',function(){if(early&&early.isConnected)early.click()},{once:true})})();
`

/** From here on React hears what is pressed, and answers it as soon as it can. */
export function hearTaps(): void {
  window.dispatchEvent(new Event(heard))
}

/** Once the page is live. */
export function answerEarlyTap(): void {
  window.dispatchEvent(new Event(answers))
}
