/**
 * Part of the page itself, before anything that asks for storage. A browser may refuse it, have none,
 * or have no room in it: what is kept then lasts as long as the page, and everything else works.
 */
export const storageScript = `['localStorage','sessionStorage'].forEach(function(name){try{
window[name].setItem('octavo-try','');window[name].removeItem('octavo-try')}catch(refused){
var kept=new Map()
Object.defineProperty(window,name,{configurable:true,value:{get length(){return kept.size},
key:function(place){return Array.from(kept.keys())[place]||null},
getItem:function(key){return kept.has(key)?kept.get(key):null},
setItem:function(key,value){kept.set(key,String(value))},
removeItem:function(key){kept.delete(key)},
clear:function(){kept.clear()}}})}});
`
