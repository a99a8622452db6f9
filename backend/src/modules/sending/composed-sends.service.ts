import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import { type ComposedMessage, fillPieces, isTag, joinTexts, type Piece } from '../../shared/merge-tags/pieces.js';
import {
  canonicalJob,
  type ChosenFile,
  type ChosenFileDto,
  chosenFilesOf,
  type ComposedBody,
  contentRequired,
  type DocumentJson,
  documentOfText,
  filesBlock,
  hrefsOf,
  isBlank,
  type Job,
  type LinkedFile,
  linkedFileIds,
  MergeTags,
  MessageFiles,
  pictureIdsIn,
  Pictures,
  readBody,
  type ReadDocument,
  readDocument,
  readTags,
  refuseLiteralTags,
  renderDocument,
  type SenderChoice,
  type SenderLook,
  SenderLooks,
  SenderProfiles,
  tagInLink,
  withFileLinks,
} from '../composing/index.js';
import type { NewSendMessage } from '../delivery/index.js';
import type { SendableList } from '../lists/index.js';

/** A composition that is to be sent, as it came. */
export interface GivenComposition {
  subject: string;
  preheader?: string;
  content?: string;
  document?: unknown;
  job?: Job;
  brand?: boolean;
  signature?: boolean;
  files?: ChosenFileDto[];
}

/** The same, with its body checked. */
export interface CheckedComposition extends ComposedBody {
  subject: string;
  /** Empty: none. */
  preheader: string;
  /** The job that it offers, as canonical JSON; null: none. */
  job: Job | null;
  /** What the messages take from the sender's profile. */
  sender: SenderChoice;
  /** The same where it is not the default; null: it is. */
  chosen: SenderChoice | null;
  /** Files that go with the message. */
  files: ChosenFile[];
}

/** A composition as texts of a send. */
export interface ComposedSend {
  /** For the history: the plain text, of a document the text that is derived from it, with its tags as they are typed. */
  content: string;
  /** What the messages are made of; null where the content goes out as it stands. */
  written: NewSendMessage | null;
  /** The document that was rendered; null for plain text. */
  document: DocumentJson | null;
  /** Pictures that the messages show. */
  pictureIds: string[];
  /** Files that go with the messages, each with its link; whether they can be sent is not decided yet. */
  files: LinkedFile[];
  /** Business address of the sender in one line, for the footer. */
  senderAddress: string | null;
}

/**
 * Turns compositions into the texts of a send. A document is rendered here, once: workers know no documents, and a
 * later change of the renderer changes no mail that is under way.
 */
@Injectable()
export class ComposedSends {
  constructor(
    private readonly tags: MergeTags,
    private readonly pictures: Pictures,
    private readonly profiles: SenderProfiles,
    private readonly looks: SenderLooks,
    private readonly files: MessageFiles,
  ) {}

  /** A composition that may say nothing yet. @throws 400 for both a content and a document, or one that is not valid */
  read(given: GivenComposition): CheckedComposition {
    const body = readBody(given);
    // A mail of plain content stays the one that it always was.
    const usual = body.document !== null;
    const sender = { brand: given.brand ?? usual, signature: given.signature ?? usual };
    return {
      ...body,
      subject: given.subject,
      preheader: given.preheader ?? '',
      job: given.job ? canonicalJob(given.job) : null,
      sender,
      chosen: sender.brand === usual && sender.signature === usual ? null : sender,
      files: chosenFilesOf(given.files),
    };
  }

  /** A composition that is to be sent. @throws 400 also where it says nothing */
  check(given: GivenComposition): CheckedComposition {
    const composition = this.read(given);
    if (composition.document ? isBlank(composition.document) : composition.content === null) throw contentRequired();
    return composition;
  }

  /** @throws 400 for tags that cannot be filled, 404 for a picture or file of somebody else */
  async of(user: RequestUser, lists: readonly SendableList[], composition: CheckedComposition): Promise<ComposedSend> {
    const { subject, preheader, content, document, job, sender, chosen } = composition;
    const look = await this.looks.of(user, await this.profiles.of(user.id), sender);
    const files = await this.files.of(user, composition.files, document ? linkedFileIds(document.json) : []);
    if (document) return this.ofDocument(user, lists, composition, look, files);
    const text = content ?? '';
    const plain = { content: text, document: null, pictureIds: look.pictureIds, files, senderAddress: look.address };
    if (hasParts(look) || files.length > 0) {
      const body = { ...composition, document: readDocument(documentOfText(text)) };
      const { written: given } = await this.ofDocument(user, lists, body, look, files);
      return { ...plain, written: given && { ...given, document: null } };
    }
    const message =
      (await this.tags.plain(user, lists, { subject, preheader, content: text })) ??
      ((job ?? chosen) && { subject: [subject], preheader: [], text: [text], html: null });
    return { ...plain, written: message && { ...written(message, preheader), job, options: chosen } };
  }

  private async ofDocument(
    user: RequestUser,
    lists: readonly SendableList[],
    { subject, preheader, document, job, chosen }: CheckedComposition,
    look: SenderLook,
    files: readonly LinkedFile[],
  ): Promise<ComposedSend> {
    if (!document) throw contentRequired();
    refuseLiteralTags(document);
    refuseTagsInLinks(hrefsOf(document));
    const source = await this.pictures.sourceFor(user.id, document);
    const rendered = renderDocument(withFileLinks(document, files), source, look.accent);
    const message = await this.tags.resolve(user, lists, {
      subject: readTags(subject),
      preheader: readTags(preheader),
      text: rendered.text,
      html: rendered.html,
    });
    const { html, text } = dressed({ html: message.html ?? [], text: message.text }, look, unplaced(document, files));
    return {
      content: rendered.content,
      written: {
        ...written({ ...message, html, text }, preheader),
        document: document.json,
        job,
        options: chosen,
        htmlBytes: Buffer.byteLength(fillPieces(html, ({ fallback }) => fallback ?? '')),
      },
      document: document.json,
      pictureIds: [...new Set([...pictureIdsIn(document.json), ...look.pictureIds])],
      files: [...files],
      senderAddress: look.address,
    };
  }
}

/** A rendered body between what the sender's profile puts above and below it; its files stand above the signature. */
export function dressed(
  { html, text }: { html: readonly Piece[]; text: readonly Piece[] },
  look: SenderLook,
  files: readonly LinkedFile[] = [],
) {
  const block = filesBlock(files, look.accent);
  return {
    html: joinTexts([look.headHtml, ...html, block.html, look.closingHtml]),
    text: joinTexts([...text, block.text, look.closingText]),
  };
}

/** Files that the writer placed nowhere in the text. */
function unplaced(document: ReadDocument, files: readonly LinkedFile[]): LinkedFile[] {
  const placed = new Set(linkedFileIds(document.json));
  return files.filter(({ fileId, state }) => !placed.has(fileId) && state !== 'gone' && state !== 'refused');
}

/** Whether the profile adds anything to a message but its footer's address. */
const hasParts = ({ accent, headHtml, closingHtml }: SenderLook): boolean =>
  accent !== null || headHtml !== '' || closingHtml !== '';

/** A link would carry details of contacts to whatever site it leads to. Browsers write braces of an address as %7B and %7D. */
function refuseTagsInLinks(hrefs: readonly string[]): void {
  for (const href of hrefs) {
    const tag = readTags(href.replace(/%7B/gi, '{').replace(/%7D/gi, '}').replace(/%7C/gi, '|')).find(isTag);
    if (tag) throw tagInLink(tag);
  }
}

const written = (message: ComposedMessage, preheader: string): NewSendMessage => ({
  message,
  preheader: preheader || null,
  document: null,
  job: null,
  options: null,
  htmlBytes: null,
});
