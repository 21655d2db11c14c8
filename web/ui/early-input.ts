/*
 * A page is seen before its scripts are there. What is done meanwhile is done once more when it can
 * be answered: a button that was pressed, what was typed or chosen, what was unfolded, and a form
 * that was sent. Links need no help, and neither do forms that say where they lead.
 */
const answered = 'octavoAnswered'
const answers = 'octavo:answers'

/**
 * Part of the page itself. Keeps the button that was pressed last until React has heard of the press;
 * and until it has taken over the page, what was done to fields, folds and forms.
 *
 * React drops a press that it cannot answer at once, for instance while code is on its way: such a
 * button is pressed again until it is answered, for ten seconds at most.
 *
 * A part of the page that React has not come to yet is taken over when there is input in it, and not
 * while React is at work elsewhere. What stands in a field then is no news to it: the field is emptied
 * as React sees it, and filled again as a hand does. A form is sent after React has heard of its
 * fields, also where React hears an Enter before this does.
 */
export const earlyInputScript = `(function(){var tap,form,live,tries,sends=200,fields=new Map(),folds=new Set()
function keepTap(event){if(event.isTrusted)tries=200
setTimeout(function(){tap=event.${answered}?null:event.target.closest('button:not([type=submit])')
if(live)setTimeout(press,50)})}
function press(){if(tap&&tap.isConnected&&tries-->0)tap.click()}
function keepField(event){var field=event.target
fields.delete(field)
if(!event.${answered})fields.set(field,field.type==='radio'||field.type==='checkbox'?field.checked:field.value)}
function keepFold(event){folds.add(event.target)}
function keepForm(event){form=null
if(event.defaultPrevented||event.target.hasAttribute('action'))return
event.preventDefault()
form=event.target
if(live)setTimeout(send,50)}
function tell(target,name){var event=new(name==='click'?MouseEvent:Event)(name,{bubbles:true,cancelable:true})
target.dispatchEvent(event)
return event.${answered}}
function refill(field,kept){tell(field,'input')
if(field.type==='file')return tell(field,'change')
if(typeof kept==='boolean'){field.checked=!kept
return tell(field,'click')}
field.value=''
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field),'value').set.call(field,kept)
return tell(field,field.localName==='select'?'change':'input')}
function refillAll(){Array.from(fields).forEach(function(kept){if(refill(kept[0],kept[1]))fields.delete(kept[0])})}
function unfold(fold){tell(fold,'input')
fold.dispatchEvent(new Event('toggle'))}
function send(){if(!form||!form.isConnected||sends--<1)return
tell(form,'input')
form.requestSubmit()}
function answer(){live=true
removeEventListener('input',keepField)
removeEventListener('toggle',keepFold,true)
refillAll()
folds.forEach(unfold)
press()
setTimeout(send)}
addEventListener('click',keepTap,true)
addEventListener('input',keepField)
addEventListener('toggle',keepFold,true)
addEventListener('submit',refillAll,true)
addEventListener('submit',keepForm)
addEventListener('${answers}',function(){setTimeout(answer)},{once:true})})();
`

/** Call it for every click and change that React handles, before a handler can stop the event. */
export function markAnswered({ nativeEvent }: { nativeEvent: Event }): void {
  Object.assign(nativeEvent, { [answered]: true })
}

/** Once the page is live. */
export function answerEarlyInput(): void {
  window.dispatchEvent(new Event(answers))
}
