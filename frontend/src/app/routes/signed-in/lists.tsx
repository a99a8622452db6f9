export default function Stub() {
  return <h1>lists</h1>;
}
