import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SqlPart } from '../../../../shared/database/queries/rows.js';
import type { ContactFieldDto } from '../../fields/contact-field.dto.js';
import { rewrittenValue } from '../../bulk/cleanup.js';
import { Fields } from '../../fields/fields.service.js';
import { dateOperators, emptyOperators, numberOperators, textOperators } from '../operators.js';
import { not, operator, type SegmentTerm, SegmentTerms, type TermOperator } from '../segment-terms.registry.js';

const PREFIX = 'field.';

/**
 * SQL of a field's value if it has the JSON type of the field, otherwise null: a value that was stored under another
 * type matches nothing and cannot make a statement fail.
 */
const guarded = (key: string, type: string, value: string): SqlPart => ({
  sql: `case when jsonb_typeof(p.fields -> ?::text) = '${type}' then ${value} end`,
  params: [key, key],
});

const textOf = (key: string): SqlPart => guarded(key, 'string', 'p.fields ->> ?::text');
const numberOf = (key: string): SqlPart => guarded(key, 'number', '(p.fields ->> ?::text)::numeric');

function dateOf(key: string): SqlPart {
  const day = textOf(key);
  return {
    sql: `(case when ${day.sql} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then ${day.sql} end) collate "C"`,
    params: [...day.params, ...day.params],
  };
}

function yesNoOperators(key: string): TermOperator[] {
  const is = (value: boolean): SqlPart => ({
    sql: `coalesce(p.fields -> ?::text = '${value}'::jsonb, false)`,
    params: [key],
  });
  const isSet: SqlPart = { sql: `coalesce(jsonb_typeof(p.fields -> ?::text) = 'boolean', false)`, params: [key] };
  return [
    operator('isYes', 'is yes', 'none', () => is(true)),
    operator('isNo', 'is no', 'none', () => is(false)),
    ...emptyOperators(not(isSet)),
  ];
}

function choiceOperators(key: string): TermOperator[] {
  const value = textOf(key);
  const isOneOf = (options: string[]): SqlPart => ({
    sql: `coalesce(${value.sql} = any (?::text[]), false)`,
    params: [...value.params, options],
  });
  return [
    operator('isOneOf', 'is one of', 'options', isOneOf),
    operator('isNoneOf', 'is none of', 'options', (options) => not(isOneOf(options))),
    ...emptyOperators({ sql: `coalesce(${value.sql}, '') = ''`, params: value.params }),
  ];
}

function choicesOperators(key: string): TermOperator[] {
  const having = (test: string, options: string[]): SqlPart => ({
    sql: `coalesce(jsonb_typeof(p.fields -> ?::text) = 'array' and ${test}(p.fields -> ?::text, ?::text[]), false)`,
    params: [key, key, options],
  });
  const any = (options: string[]) => having('jsonb_exists_any', options);
  const isEmpty: SqlPart = {
    sql: `coalesce(jsonb_typeof(p.fields -> ?::text) <> 'array' or p.fields -> ?::text = '[]'::jsonb, true)`,
    params: [key, key],
  };
  return [
    operator('anyOf', 'has any of', 'options', any),
    operator('allOf', 'has all of', 'options', (options) => having('jsonb_exists_all', options)),
    operator('noneOf', 'has none of', 'options', (options) => not(any(options))),
    ...emptyOperators(isEmpty),
  ];
}

/**
 * @param isRewritten whether the field may still have values that were stored under another type, which count as text
 */
function operatorsOf({ type, key }: ContactFieldDto, isRewritten: boolean): TermOperator[] {
  switch (type) {
    case 'text':
      return textOperators(isRewritten ? rewrittenValue(key) : textOf(key));
    case 'url':
      return textOperators(textOf(key));
    case 'number':
      return numberOperators(numberOf(key));
    case 'date':
      return dateOperators(dateOf(key));
    case 'yes_no':
      return yesNoOperators(key);
    case 'choice':
      return choiceOperators(key);
    case 'choices':
      return choicesOperators(key);
  }
}

/** Terms for the account's custom fields, each with the comparisons of its type. */
@Injectable()
export class FieldTerms implements OnModuleInit {
  constructor(
    private readonly registry: SegmentTerms,
    private readonly fields: Fields,
  ) {}

  onModuleInit(): void {
    this.registry.add({
      terms: async (ownerId, em) => {
        const rewritten = await this.fields.rewritten(ownerId, em);
        return (await this.fields.list(ownerId, em)).map((field): SegmentTerm => ({
          field: `${PREFIX}${field.key}`,
          label: field.label,
          group: 'Your fields',
          noun: 'option',
          ...(field.options.length > 0 && { options: field.options.map((value) => ({ value, label: value })) }),
          operators: operatorsOf(field, rewritten.has(field.key)),
        }));
      },
    });
  }
}
