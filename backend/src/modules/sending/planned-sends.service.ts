import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createValidationPipe, type RequestUser, validationFailed } from '../../shared/http/index.js';
import { attachedBytes, type DocumentJson, readBody } from '../composing/index.js';
import { AttachmentGuard } from './attachment-guard.service.js';
import type { AcceptedRecipients } from './audience/audience-acceptance.service.js';
import { type Accepted, SendAcceptance } from './send-acceptance.service.js';
import { type SendAcceptedDto, SendEmailDto } from './send.dto.js';
import type { SendPreviewDto } from './send-preview.dto.js';
import { SendPreview } from './send-preview.service.js';
import { hashOf, readIdentity, type RequestIdentity, type SendRequest } from './send-request.js';
import { ComposedSends } from './composed-sends.service.js';

/** Number of recipients that a planned send would have now. */
export type SendEstimate = Pick<SendPreviewDto, 'recipientCount' | 'isAbout' | 'excluded'>;

/** A validated send that another module plans. */
export interface PlannedSend {
  body: SendEmailDto;
  identity: RequestIdentity;
  /** SHA-256 of everything that the send contains. */
  contentHash: string;
  /** The message's document; null for plain text. */
  document: DocumentJson | null;
  estimate: SendEstimate;
  limit: SendRequest['limit'];
}

/** Identifies a planned send when it leaves, so that it is not sent twice. */
export interface PlannedIdentity {
  key: string;
  /** Id of the draft that the send was made from; the draft no longer exists. */
  draftId: string | null;
}

/** A planned send that is ready to be accepted, or the send if it was accepted before. */
export type PreparedPlan = SendRequest | { earlier: Accepted };

/** A planned send after its acceptance in the caller's transaction. */
export interface AcceptedPlan {
  sendId: string;
  /** Number of recipients; null if the send had been accepted before. */
  accepted: AcceptedRecipients | null;
  answer: () => Promise<SendAcceptedDto>;
}

/**
 * Sends that other modules plan. They are validated when they are planned, and accepted later, in the other module's
 * transaction.
 */
@Injectable()
export class PlannedSends {
  private readonly bodies = createValidationPipe();

  constructor(
    private readonly acceptance: SendAcceptance,
    private readonly compositions: ComposedSends,
    private readonly preview: SendPreview,
    private readonly guard: AttachmentGuard,
  ) {}

  /**
   * Validates the body of a send-email request.
   * @throws 400 like that call
   */
  async read(given: unknown): Promise<SendEmailDto> {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw validationFailed([{ field: 'send', message: 'send must be an email' }]);
    return (await this.bodies.transform(given, { type: 'body', metatype: SendEmailDto })) as SendEmailDto;
  }

  /**
   * Hash of everything that the body contains.
   * @throws 400
   */
  hash(body: SendEmailDto): string {
    return hashOf(body, this.compositions.check(body));
  }

  /**
   * The draft that a body names, and its version.
   * @throws 400, 404
   */
  identityOf(body: SendEmailDto, key?: string): RequestIdentity {
    return readIdentity(body, key);
  }

  /**
   * Makes the same checks as send-email, except for the daily limit.
   * @throws 400, 403, 404 like that call
   */
  async check(user: RequestUser, body: SendEmailDto, identity: RequestIdentity): Promise<PlannedSend> {
    const checked = await this.acceptance.prepare(user, body, {
      draftId: null,
      draftVersion: null,
      isPlanned: identity.draftId !== null,
      key: null,
    });
    if ('earlier' in checked) throw new Error('a send without draft and key has no earlier one');
    const { contentHash, limit } = checked;
    const { attachmentMaxBytes, ...estimate } = await this.estimate(user, body);
    const attached = attachedBytes(checked.composed.files);
    if (attached > attachmentMaxBytes) throw this.guard.refusal(attached);
    return {
      body,
      identity,
      contentHash,
      document: readBody(body).document?.json ?? null,
      estimate,
      limit,
    };
  }

  /**
   * Checks a planned send again, right before it is accepted.
   * @throws the errors of send-email, as AppError
   */
  async prepare(
    user: RequestUser,
    body: SendEmailDto,
    { key, draftId }: PlannedIdentity,
    holds: SendRequest['holds'],
  ): Promise<PreparedPlan> {
    const identity = { key, draftId, draftVersion: null, isPlanned: true, isQueued: true };
    return this.acceptance.prepare(user, body, identity, holds);
  }

  /**
   * Accepts a planned send within the caller's transaction.
   * @throws the errors of send-email; the caller must then roll back
   */
  async accept(em: EntityManager, plan: PreparedPlan): Promise<AcceptedPlan> {
    const { entry, accepted = null } =
      'earlier' in plan ? { entry: plan.earlier } : await this.acceptance.record(em, plan);
    return { sendId: entry.id, accepted, answer: () => this.acceptance.answer(entry, accepted?.isAbout) };
  }

  /** Notifies the queue; call it after the commit. If it fails, a sweeper finds the send. */
  async announce({ sendId, accepted }: AcceptedPlan): Promise<void> {
    if (accepted) await this.acceptance.announce(sendId, accepted);
  }

  private async estimate(
    user: RequestUser,
    body: SendEmailDto,
  ): Promise<SendEstimate & Pick<SendPreviewDto, 'attachmentMaxBytes'>> {
    const { recipientCount, isAbout, excluded, attachmentMaxBytes } = await this.preview.of(user, {
      ...body,
      content: undefined,
      document: undefined,
      files: undefined,
      draftId: undefined,
    });
    return { recipientCount, ...(isAbout && { isAbout }), excluded, attachmentMaxBytes };
  }
}
