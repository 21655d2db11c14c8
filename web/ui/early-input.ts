/*
 * Replays what a visitor did before React took over the page: the button pressed last, typed and
 * chosen values, opened details, and a submitted form. Links and forms with an `action` don't need it.
 */
const answered = 'octavoAnswered'
const answers = 'octavo:answers'

/**
 * An inline script. It stores the last pressed button until React has handled the press, and changes
 * of fields, details and forms until React has hydrated the page.
 *
 * React drops a press that it can't handle yet, for example while a lazy part loads. Such a button is
 * pressed again until React handles it, for ten seconds at most.
 *
 * React hydrates a part of the page when an event reaches it, and then takes the field's value for the
 * initial one. So the field is emptied and filled again with events. A form is submitted after its
 * fields, even if React sees the Enter first.
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

/** Marks an event as handled by React. Call it before a handler can stop the event. */
export function markAnswered({ nativeEvent }: { nativeEvent: Event }): void {
  Object.assign(nativeEvent, { [answered]: true })
}

/** Starts the replay. Call it once the page is hydrated. */
export function answerEarlyInput(): void {
  window.dispatchEvent(new Event(answers))
}
