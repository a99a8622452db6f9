import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stage } from '../kit/stage.ts';
import { DESKTOP, KEYBOARD, openSendStage, PHONE, Run } from './run.ts';
import { deleteFile, download, duplicate, mendFindings, preview, send, sendTest } from './sending.ts';
import { addLook, completeContent, continueElsewhere, fillProfile, pasteRequirement } from './writing.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openSendStage();
});
afterAll(() => stage?.close());

describe.each([
  ['on a desktop, in light', DESKTOP],
  ['on a phone, in dark', PHONE],
  ['by keyboard alone', KEYBOARD],
])('one email from the sender’s details to the downloads of its résumé, %s', (_how, kind) => {
  let run: Run;
  beforeAll(async () => {
    run = await Run.start(kind, stage);
  });

  it('has a sender with an address and a logo', async () => {
    await fillProfile(run);
    await addLook(run);
  });

  it('begins with a requirement: one guess is corrected, its subject is suggested, its client stays untold', () =>
    pasteRequirement(run));

  it('goes on with a paste from Outlook, two merge tags and a résumé as a link', () => completeContent(run));

  it('continues in another browser, where a change on a third device has to be settled', () => continueElsewhere(run));

  it('is previewed as each recipient reads it, on a phone, and as plain text', () => preview(run));

  it('is tested: the mail is in the own mailbox', () => sendTest(run));

  it('is checked: two rows are mended by their buttons', () => mendFindings(run));

  it('reaches whom the forecast counted; the mails differ in the names only, are signed, and can be left with one press', () =>
    send(run));

  it('has a file that is downloaded from its page, once, by a person', () => download(run));

  it('is duplicated and becomes a template from the history', () => duplicate(run));

  it('loses its file when that is deleted, and the page of the link says so', () => deleteFile(run));

  it('causes no script error and no request to another host', () => {
    expect(run.faults.flat()).toEqual([]);
  });

  it('has no control that is hard to use this way', () => {
    expect(run.hands.faults).toEqual([]);
  });
});
