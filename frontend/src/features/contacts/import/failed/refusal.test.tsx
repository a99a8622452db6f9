import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { importState, openImport } from '../../../../../test/fixtures/import-fixtures';
import { answer, refusal } from '../../../../../test/fake-api';

const REASON = 'Your plan takes 500 contacts a day. Import the rest tomorrow.';
const report = {
  new: 120,
  updated: 3,
  unchanged: 20,
  leftOut: 0,
  groups: [],
  typos: [],
  domains: [],
  unchecked: { domains: 0, people: 0 },
};
const shown = (text: string) =>
  within(screen.getByRole('main'))
    .queryAllByRole('note')
    .filter((note) => note.textContent.includes(text));
/** Texts that a screen reader announces by itself, including those of toasts. */
const readOut = (text: string) => screen.queryAllByRole('alert').filter((alert) => alert.textContent.includes(text));

describe.each([
  {
    name: 'the import itself',
    button: 'Import 123 contacts',
    call: 'POST /api/imports/i1/commit',
    state: importState({ status: 'ready', stage: 'check', report: report as never }),
    title: 'The import could not be started',
  },
  {
    name: 'the check',
    button: 'Check',
    call: 'POST /api/imports/i1/check',
    state: importState(),
    title: 'The check could not be started',
  },
  {
    name: 'going on after a fault',
    button: 'Import again',
    call: 'POST /api/imports/i1/commit',
    state: importState({ status: 'failed', stage: 'commit', message: 'The import stopped.' }),
    title: 'The import could not be started',
  },
])('a refusal of $name', ({ button, call, state, title }) => {
  it('stays where it was tried until it is dismissed or tried again', async () => {
    const refused = refusal(409, 'limit', REASON);
    let goOn = (): void => undefined;
    let answers = 0;
    const { user } = openImport('/contacts/import/i1', {
      'GET /api/imports/i1': state,
      [call]: () => {
        answers += 1;
        // The third attempt is answered only when the test says so.
        return answers < 3 ? refused : new Promise((done) => (goOn = () => done(answer(state, 202))));
      },
    });
    await user.click(await screen.findByRole('button', { name: button }));
    await waitFor(() => expect(shown(`${title}. ${REASON}`)).toHaveLength(1));
    // The toast's code is fetched with the first toast.
    await screen.findByRole('button', { name: 'Dismiss notification' });
    expect(readOut(REASON)).toHaveLength(1);
    await user.click(within(shown(REASON)[0]!).getByRole('button', { name: 'Dismiss' }));
    expect(shown(REASON)).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(shown(REASON)).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(answers).toBe(3));
    expect(shown(REASON)).toHaveLength(0);
    goOn();
  });
});
