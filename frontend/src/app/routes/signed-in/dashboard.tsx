export default function Stub() {
  return <h1>dashboard</h1>;
}
