export default function Stub() {
  return <h1>list</h1>;
}
