export default function Screen() { return <h1>book</h1> }
