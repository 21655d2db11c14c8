/*
 * A page is seen before its scripts are there. What is done meanwhile is done once more when it can
 * be answered: a button that was pressed, what was typed or chosen, what was unfolded, and a form
 * that was sent. Links need no help, and neither do forms that say where they lead.
 */
const heard = 'octavo:heard'
const answers = 'octavo:answers'

/**
 * Part of the page itself. Keeps the button that was pressed last until React hears of presses; and
 * until it has taken over the page, what was done to fields, folds and forms.
 *
 * A part of the page that React has not come to yet is taken over when there is input in it, and not
 * while React is at work elsewhere. What stands in a field then is no news to it: the field is emptied
 * as React sees it, and filled again as a hand does.
 */
export const earlyInputScript = `(function(){var tap,form,fields=new Map(),folds=new Set()
function keepTap(event){tap=event.target.closest('button:not([type=submit])')}
function keepField(event){var field=event.target
fields.delete(field)
fields.set(field,field.type==='radio'||field.type==='checkbox'?field.checked:field.value)}
function keepFold(event){folds.add(event.target)}
function keepForm(event){if(event.defaultPrevented||event.target.hasAttribute('action'))return
event.preventDefault()
form=event.target}
function tell(target,name){target.dispatchEvent(new Event(name,{bubbles:true}))}
function refill(kept,field){tell(field,'input')
if(field.type==='file')return tell(field,'change')
if(typeof kept==='boolean'){field.checked=!kept
return field.click()}
field.value=''
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),'value').set.call(field,kept)
tell(field,field.localName==='select'?'change':'input')}
function unfold(fold){tell(fold,'input')
fold.dispatchEvent(new Event('toggle'))}
function send(){tell(form,'input')
form.requestSubmit()}
function answer(){removeEventListener('input',keepField,true)
removeEventListener('toggle',keepFold,true)
removeEventListener('submit',keepForm)
fields.forEach(refill)
folds.forEach(unfold)
if(tap&&tap.isConnected)tap.click()
if(form)setTimeout(send)}
addEventListener('click',keepTap)
addEventListener('input',keepField,true)
addEventListener('toggle',keepFold,true)
addEventListener('submit',keepForm)
addEventListener('${heard}',function(){removeEventListener('click',keepTap)},{once:true})
addEventListener('${answers}',function(){setTimeout(answer)},{once:true})})();
`

/** From here on React hears what is pressed, and answers it as soon as it can. */
export function hearInput(): void {
  window.dispatchEvent(new Event(heard))
}

/** Once the page is live. */
export function answerEarlyInput(): void {
  window.dispatchEvent(new Event(answers))
}
