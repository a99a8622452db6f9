import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../../shared/config/settings.js';
import { fieldKey } from '../../../../shared/merge-tags/values.js';
import { ImportedPeople, type LabelTargets, LabelMapping, SenderRules } from '../../../contacts/index.js';
import type { ImportColumn } from '../../entities/contact-import.values.js';
import { type DomainFix, judgingPlan, type JudgingPlan } from '../judging/judge-row.js';
import { type ColumnTarget, fieldTarget } from '../judging/targets.js';
import { PlanLimits } from '../../my-lists/plan-limits.service.js';
import type { ClaimedImport } from './claimed-import.js';
import type { AttributeColumn } from './staged-rows.js';
import type { JudgingScope } from './verdict-sql.js';

type JudgedImport = Pick<
  ClaimedImport,
  'id' | 'ownerId' | 'listId' | 'isDirect' | 'columns' | 'options' | 'corrections' | 'fileInfo'
>;

const MAX_ATTRIBUTES = 50;
/** Targets whose values are stored elsewhere, or are the account's own notes about the contact. */
const NOT_CARRIED: ReadonlySet<string> = new Set(['email', 'name', 'firstName', 'lastName', 'tags', 'skills', 'note']);

/** Prepares the judging of an import's lines: the rules for their content, and the account's data. */
@Injectable()
export class RowJudging {
  constructor(
    private readonly em: EntityManager,
    private readonly people: ImportedPeople,
    private readonly labels: LabelMapping,
    private readonly limits: PlanLimits,
    private readonly rules: SenderRules,
    private readonly settings: Settings,
  ) {}

  /** Rules for judging lines by their content. */
  async plan({ ownerId, isDirect, columns, options, corrections, fileInfo }: JudgedImport): Promise<JudgingPlan> {
    const rules = ownerId ? await this.rules.of(ownerId) : null;
    return judgingPlan({
      targets: (columns ?? []).map(({ target }) => target),
      header: (columns ?? []).map(({ header }) => header),
      fields: ownerId ? await this.people.fieldDefinitions(ownerId) : [],
      uses1904: fileInfo.encoding === null ? (fileInfo.uses1904 ?? false) : null,
      ownDomains: ownerId ? await this.people.largestDomains(ownerId) : [],
      corrections: new Map(Object.entries(corrections.lines ?? {}).map(([line, email]) => [Number(line), email])),
      domainFixes: new Map<string, DomainFix>(Object.entries(corrections.domains ?? {})),
      roles: options.roles ?? 'keep',
      // Direct imports keep names as they are given, because API clients compare them with what they sent.
      keepsNames: isDirect,
      isNotSentTo: rules ? (norm) => rules(norm, false) !== undefined : undefined,
    });
  }

  /**
   * Columns whose values are stored with members of the list, for merge tags. A direct import stores everything that is
   * neither address nor name.
   */
  carried({ isDirect, columns }: Pick<JudgedImport, 'isDirect' | 'columns'>): AttributeColumn[] {
    return (columns ?? [])
      .map(({ header, target, from }, column) => ({ column, label: header, target, from }))
      .filter(({ label, target }) => label !== '' && (isDirect ? !DIRECT_NOT_CARRIED.has(target) : isCarried(target)))
      .slice(0, MAX_ATTRIBUTES)
      .map(({ column, label }) => ({ column, label }));
  }

  /** The account's data for judging lines. `room` is the plan's limit less the contacts that are already on lists. */
  async scope({ id, ownerId, listId, isDirect, options }: JudgedImport): Promise<JudgingScope> {
    return {
      importId: id,
      ownerId,
      listId,
      isDirect,
      existing: isDirect ? 'fill' : (options.existing ?? 'fill'),
      room: ownerId && listId ? await this.roomFor(ownerId) : null,
      tagIds: ownerId ? await this.people.tagIds(ownerId) : new Map(),
      commonTags: ownerId ? (options.tags ?? []) : [],
      checksDomains: this.settings.importMxCheck,
    };
  }

  /**
   * The columns of a direct import. A column without a target becomes a text field of the account, if the account may
   * have more fields.
   */
  async withFields(ownerId: string, columns: readonly ImportColumn[]): Promise<ImportColumn[]> {
    const open = columns.filter(({ target, header }) => target === 'ignore' && fieldKey(header) !== '');
    const targets: LabelTargets = new Map();
    await this.labels.complete(
      ownerId,
      targets,
      [...new Set(open.map(({ header }) => header))].slice(0, MAX_ATTRIBUTES),
    );
    const used = new Set(columns.map(({ target }) => target));
    return columns.map((column) => {
      const found = column.target === 'ignore' ? targets.get(column.header) : undefined;
      const target: ColumnTarget | undefined = found
        ? 'part' in found
          ? found.part
          : fieldTarget(found.key)
        : undefined;
      if (!target || used.has(target)) return column;
      used.add(target);
      return { ...column, target, from: 'guessed' };
    });
  }

  private async roomFor(ownerId: string): Promise<number | null> {
    const limit = await this.limits.contactLimitOf(ownerId);
    return limit === null ? null : Math.max(0, limit - (await this.limits.contactsOf(this.em.fork(), ownerId)));
  }
}

const DIRECT_NOT_CARRIED: ReadonlySet<string> = new Set(['email', 'name', 'firstName', 'lastName']);
const isCarried = (target: ColumnTarget): boolean => target !== 'ignore' && !NOT_CARRIED.has(target);
