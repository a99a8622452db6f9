export default function Stub() {
  return <h1>subscribe-confirmed</h1>;
}
