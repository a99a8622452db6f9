import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Composition,
  type DocumentJson,
  type DraftAudience,
  type DraftOptions,
  type Job,
  MessageFiles,
  SentCompositions,
} from '../composing/index.js';
import { SegmentConditions } from '../contacts/index.js';
import { SendAudiences, SendMessages } from '../delivery/index.js';
import { SendRecords } from '../history/index.js';

/** Reads the content of a past send, for drafts and templates that copy it. */
@Injectable()
export class SentCompositionReader implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly messages: SendMessages,
    private readonly sent: SentCompositions,
    private readonly audiences: SendAudiences,
    private readonly segments: SegmentConditions,
    private readonly files: MessageFiles,
  ) {}

  onModuleInit(): void {
    this.sent.readBy((userId, sendId) => this.of(userId, sendId));
  }

  private async of(userId: string, sendId: string): Promise<Composition | null> {
    const em = this.em.fork();
    const entry = await this.records.byId(em, sendId);
    if (entry?.userId !== userId) return null;
    const written = entry.composed ? await this.messages.written(em, sendId) : null;
    const lists = await this.records.listsOf(em, sendId);
    const document = (written?.document ?? null) as DocumentJson | null;
    return {
      emailType: entry.emailType,
      listIds: lists.flatMap(({ id }) => id ?? []),
      audience: await this.audienceOf(userId, sendId),
      subject: entry.subject,
      preheader: written?.preheader ?? '',
      document,
      content: document ? null : entry.content,
      job: (written?.job ?? null) as Job | null,
      options: optionsOf(document !== null, written?.options ?? null),
      files: await this.files.ofSend(userId, sendId),
    };
  }

  /**
   * The audience of a send, for a draft. Omits segments that no longer exist and returns their names. Keeps exclusions
   * even if their list or segment no longer exists: the draft cannot be sent until its user removes them, so that
   * the excluded people are not mailed by accident.
   */
  private async audienceOf(userId: string, sendId: string): Promise<DraftAudience | null> {
    const sent = await this.audiences.reported(this.em.fork(), sendId);
    if (!sent) return null;
    const { segmentIds, excludeListIds, excludeSegmentIds, excludeAddresses, perCompany, names } = sent.choices;
    const known = await this.segments.names(userId, segmentIds);
    const gone = segmentIds.filter((id) => !known.has(id));
    return {
      segmentIds: segmentIds.filter((id) => known.has(id)),
      excludeListIds,
      excludeSegmentIds,
      excludeAddresses,
      perCompany,
      ...(gone.length > 0 && { goneSegments: gone.map((id) => names[id] ?? '') }),
    };
  }
}

/**
 * The send's choice of logo and signature. The draft is a document. If the send was plain text, which has other
 * defaults, the choice is stored explicitly.
 */
function optionsOf(isDocument: boolean, chosen: DraftOptions | null): DraftOptions | null {
  return isDocument ? chosen : { brand: false, signature: false, ...chosen };
}
