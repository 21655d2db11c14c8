export default function Screen() { return <h1>shelf</h1> }
