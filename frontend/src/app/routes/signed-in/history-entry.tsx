export default function Stub() {
  return <h1>history-entry</h1>;
}
