export default function Stub() {
  return <h1>send</h1>;
}
