export default function Stub() {
  return <h1>unsubscribe</h1>;
}
