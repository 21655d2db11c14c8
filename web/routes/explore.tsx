export default function Screen() { return <h1>explore</h1> }
