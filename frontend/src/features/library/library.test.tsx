import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone, type Call } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { fileSpace } from '../../../test/fixtures/screen-answers';

const draft = (id: string, subject: string) => ({
  id,
  version: 1,
  emailType: 'job-post',
  subject,
  lists: [{ id: 'l1', name: 'Java vendors' }],
  step: 3,
  device: 'Safari, iPhone',
  createdAt: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:42:00.000Z',
});
const document = {
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello there' }] }],
};
const template = (over: Record<string, unknown> = {}) => ({
  id: 't1',
  version: 3,
  name: 'DevOps, Dallas',
  emailType: 'job-post',
  subject: 'DevOps engineer',
  brand: null,
  signature: null,
  useCount: 12,
  usedAt: null,
  createdAt: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:42:00.000Z',
  ...over,
});

function open(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/drafts': page([draft('d1', 'Senior Java, Hartford'), draft('d2', '')]),
    'GET /api/email-templates': page([template()]),
    ...answers,
  });
  return { calls, ...renderApp(path) };
}
type Opened = ReturnType<typeof open>;

async function choose({ user }: Opened, of: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${of}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

describe('the drafts of the Library', () => {
  it('are links that open them, each with its lists and its last step', async () => {
    open('/library');
    expect(await screen.findByRole('link', { name: 'Senior Java, Hartford' })).toHaveAttribute('href', '/send/d1');
    expect(screen.getByRole('link', { name: 'No subject' })).toHaveAttribute('href', '/send/d2');
    expect(screen.getAllByText('To Java vendors')[0]).toBeVisible();
    expect(screen.getAllByText(/on Safari, iPhone/)[0]).toBeVisible();
  });

  it('are deleted after a question that names them', async () => {
    const opened = open('/library', { 'DELETE /api/drafts/d1': answer(undefined, 204) });
    await choose(opened, 'Senior Java, Hartford', 'Delete');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Delete the draft "Senior Java, Hartford"?' }));
    await opened.user.click(asked.getByRole('button', { name: 'Delete' }));
    await waitFor(() =>
      expect(opened.calls.map(({ method, path }) => `${method} ${path}`)).toContain('DELETE /api/drafts/d1'),
    );
  });

  it('say that there are none, and that they could not be loaded', async () => {
    const opened = open('/library', { 'GET /api/drafts': page([]) });
    expect(await screen.findByText('No drafts. What you begin to write is kept here.')).toBeVisible();
    opened.unmount();
    open('/library', { 'GET /api/drafts': refusal(503, 'unavailable', 'Busy') });
    expect(await screen.findByText('Your drafts could not be loaded.')).toBeVisible();
  });
});

describe('the templates of the Library', () => {
  it('begin with the built-in ones, which can be used and copied only', async () => {
    const opened = open('/library?tab=templates');
    expect(await screen.findByRole('link', { name: 'DevOps, Dallas' })).toHaveAttribute(
      'href',
      '/library/templates/t1',
    );
    expect(screen.getByText('used 12 times')).toBeVisible();
    expect(screen.getAllByText('Built in')).toHaveLength(2);
    await opened.user.click(screen.getByRole('button', { name: 'Actions for Standard Job Post' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Use',
      'Duplicate',
    ]);
  });

  it('begin a draft with their text when they are used', async () => {
    const opened = open('/library?tab=templates', {
      'POST /api/email-templates/t1/use': { ...template(), document },
      'POST /api/drafts': answer({ id: 'd9' }, 201),
    });
    await choose(opened, 'DevOps, Dallas', 'Use');
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d9'));
    expect(opened.calls.find(({ method, path }) => method === 'POST' && path === '/api/drafts')?.body).toEqual({
      emailType: 'job-post',
      subject: 'DevOps engineer',
      document,
    });
  });

  it("begin a draft with their send's choice of signature and logo", async () => {
    const opened = open('/library?tab=templates', {
      'POST /api/email-templates/t1/use': { ...template({ signature: false }), document },
      'POST /api/drafts': answer({ id: 'd9' }, 201),
    });
    await choose(opened, 'DevOps, Dallas', 'Use');
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d9'));
    const made = opened.calls.find(({ method, path }) => method === 'POST' && path === '/api/drafts')?.body;
    expect(made).toMatchObject({ signature: false });
    expect(made).not.toHaveProperty('brand');
  });

  it('keep the dialog open when its name is taken', async () => {
    const opened = open('/library?tab=templates', {
      'PATCH /api/email-templates/t1': refusal(409, 'template_name_taken', 'You have a template with this name'),
    });
    await choose(opened, 'DevOps, Dallas', 'Rename');
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename template' }));
    await opened.user.type(dialog.getByLabelText('Name'), ' 2{Enter}');
    expect(await dialog.findByText('You have a template with this name')).toBeVisible();
    expect(opened.calls.find(({ method }) => method === 'PATCH')?.headers.get('if-match')).toBe('"3"');
  });

  it('are edited on their own screen, which saves automatically', async () => {
    let saved: unknown;
    const opened = open('/library/templates/t1', {
      'GET /api/email-templates/t1': { ...template(), document },
      'GET /api/files': page([]),
      'PATCH /api/email-templates/t1': ({ body }: { body: unknown }) => {
        saved = body;
        return template({ version: 4 });
      },
    });
    const subject = await screen.findByLabelText(/Subject line/);
    await opened.user.type(subject, ', Dallas');
    await waitFor(() => expect(saved).toEqual({ subject: 'DevOps engineer, Dallas', document }));
    expect(await screen.findByText('Saved')).toBeVisible();
  });
});

describe('the pictures of the Library', () => {
  const file = {
    id: 'p1',
    kind: 'image',
    name: 'team.png',
    mediaType: 'image/png',
    byteSize: 20_480,
    width: 640,
    height: 320,
    url: 'http://mail.test/media/abc.png',
    createdAt: '2026-01-05T10:00:00.000Z',
  };
  const listed = (pictures: () => object[]) => ({
    'GET /api/files': ({ query }: Call) => page(query.kind === 'image' ? pictures() : []),
    'GET /api/files/space': fileSpace,
  });

  it('are shown with their size, and deleted where nothing uses them', async () => {
    let pictures = [file];
    const opened = open('/library?tab=files', {
      ...listed(() => pictures),
      'DELETE /api/files/p1': () => {
        pictures = [];
        return answer(undefined, 204);
      },
    });
    const card = within(await screen.findByRole('article', { name: 'team.png' }));
    expect(card.getByText('640 × 320, 20 KB')).toBeVisible();
    await opened.user.click(card.getByRole('button', { name: 'Delete team.png' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument());
  });

  it('cannot be deleted where an email uses them, which the dialog says', async () => {
    const opened = open('/library?tab=files', {
      ...listed(() => [file]),
      'DELETE /api/files/p1': refusal(409, 'picture_in_use', 'A draft shows this picture. Take it out first'),
    });
    await opened.user.click(await screen.findByRole('button', { name: 'Delete team.png' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('A draft shows this picture. Take it out first')).toBeVisible();
  });
});
