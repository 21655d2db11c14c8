export default function Screen() { return <h1>signup</h1> }
