export default function Stub() {
  return <h1>history</h1>;
}
