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
  type PreparedFile,
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

/** A composition to be sent, in the form of the request. */
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

/** A composition whose body was parsed and validated. */
export interface CheckedComposition extends ComposedBody {
  subject: string;
  /** Line that inboxes show after the subject; empty if there is none. */
  preheader: string;
  /** The job that the message offers, as canonical JSON; null if there is none. */
  job: Job | null;
  /** Parts of the sender's profile that the message has. */
  sender: SenderChoice;
  /** `sender` if it differs from the default, else null. */
  chosen: SenderChoice | null;
  /** Files that go with the message, as links or attached. */
  files: ChosenFile[];
}

/** A composition in the form in which a send stores it. */
export interface ComposedSend {
  /** Text for the history. For a document, the text derived from it, with merge tags as typed. */
  content: string;
  /** Stored texts of the messages; null if the content is sent as it is. */
  written: NewSendMessage | null;
  /** The document from which the texts were rendered; null for plain text. */
  document: DocumentJson | null;
  /** Ids of the pictures that the messages show. */
  pictureIds: string[];
  /**
   * Files that go with the messages, as links or attached. Callers must still check whether they are ready to be sent
   * (MessageFiles.assertReady).
   */
  files: PreparedFile[];
  /** The sender's business address as one line, for the footer. */
  senderAddress: string | null;
}

/**
 * Turns compositions into the texts of a send. A document is rendered here, once: workers need not know documents, and
 * later changes of the renderer do not affect accepted sends.
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

  /**
   * Validates a composition that may still be empty.
   * @throws 400 for a request with both a content and a document, or with an invalid one
   */
  read(given: GivenComposition): CheckedComposition {
    const body = readBody(given);
    // By default, a document has logo and signature. A plain content has neither, as it was before they were
    // introduced.
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

  /**
   * Validates a composition that is about to be sent.
   * @throws 400, also for an empty composition
   */
  check(given: GivenComposition): CheckedComposition {
    const composition = this.read(given);
    if (composition.document ? isBlank(composition.document) : composition.content === null) throw contentRequired();
    return composition;
  }

  /**
   * Composes the texts of a send.
   * @throws 400 for tags that cannot be filled, 404 for a picture or file of another account
   */
  async of(user: RequestUser, lists: readonly SendableList[], composition: CheckedComposition): Promise<ComposedSend> {
    const { subject, preheader, content, document, job, sender, chosen } = composition;
    const look = await this.looks.of(user, await this.profiles.of(user.id), sender);
    const files = await this.files.prepare(user, composition.files, document ? linkedFileIds(document.json) : []);
    if (document) return this.ofDocument(user, lists, composition, look, files);
    const text = content ?? '';
    const plain = { content: text, document: null, pictureIds: look.pictureIds, files, senderAddress: look.address };
    if (hasParts(look) || files.some(({ token }) => token !== null)) {
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
    files: readonly PreparedFile[],
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

/** Adds the parts of the sender's profile above and below a rendered body. Files stand above the signature. */
export function dressed(
  { html, text }: { html: readonly Piece[]; text: readonly Piece[] },
  look: SenderLook,
  files: readonly PreparedFile[] = [],
) {
  const block = filesBlock(files, look.accent);
  return {
    html: joinTexts([look.headHtml, ...html, block.html, look.closingHtml]),
    text: joinTexts([...text, block.text, look.closingText]),
  };
}

/** Files that are sent as links, but without a link in the document's text. */
function unplaced(document: ReadDocument, files: readonly PreparedFile[]): PreparedFile[] {
  const placed = new Set(linkedFileIds(document.json));
  return files.filter(
    ({ fileId, token, state }) => token !== null && !placed.has(fileId) && state !== 'gone' && state !== 'refused',
  );
}

/** Whether the sender's profile adds anything to a message besides the address in the footer. */
const hasParts = ({ accent, headHtml, closingHtml }: SenderLook): boolean =>
  accent !== null || headHtml !== '' || closingHtml !== '';

/**
 * Refuses merge tags in links, because the link's website would get data of contacts. Browsers write braces in a URL as
 * %7B and %7D.
 */
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
