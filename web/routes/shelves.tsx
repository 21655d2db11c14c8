export default function Screen() { return <h1>shelves</h1> }
