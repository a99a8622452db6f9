/** API calls of one account with a Bearer token, as from a script. */
export class Api {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async register(url: string, email: string): Promise<Api> {
    const password = 'a long enough secret';
    const post = (path: string, body: unknown) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await expectOk(
      await post('/api/auth/register', { email, password, firstName: 'Dana', lastName: 'Okafor', role: 'recruiter' }),
    );
    return Api.signIn(url, email);
  }

  static async signIn(url: string, email: string): Promise<Api> {
    const response = await fetch(`${url}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a long enough secret' }),
    });
    const { accessToken } = (await (await expectOk(response)).json()) as { accessToken: string };
    return new Api(url, accessToken);
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await expectOk(response);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}
