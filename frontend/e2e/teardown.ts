import './setup.ts';

export default async function teardown(): Promise<void> {
  const product = await globalThis.e2eSetup?.shared;
  await product?.stop();
  await globalThis.e2eSetup?.clean();
}
