export default function Screen() { return <h1>books</h1> }
