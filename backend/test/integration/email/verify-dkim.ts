import { createRequire } from 'node:module';

interface DkimResult {
  signingDomain: string;
  modulusLength?: number;
  status: { result: string; comment?: string };
}
const { dkimVerify } = createRequire(import.meta.url)('mailauth/lib/dkim/verify') as {
  dkimVerify(
    message: Buffer,
    options: { resolver(name: string, type: string): Promise<string[][]> },
  ): Promise<{ results: DkimResult[] }>;
};

/** Verifies a DKIM signature as a receiver would, with these DNS TXT records. */
export async function verifyDkim(
  raw: string,
  dns: Record<string, string>,
): Promise<{ verdict: string; domain: string; bits?: number; comment?: string }> {
  const resolver = async (name: string): Promise<string[][]> => {
    const found = dns[name];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [[found]];
  };
  const { results } = await dkimVerify(Buffer.from(raw, 'latin1'), { resolver });
  const [result] = results;
  return {
    verdict: result!.status.result,
    domain: result!.signingDomain,
    bits: result!.modulusLength,
    comment: result!.status.comment,
  };
}
