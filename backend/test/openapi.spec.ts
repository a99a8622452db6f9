import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Operation {
  name: string;
  operationId?: string;
  requestBody?: unknown;
  summary?: string;
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }>; description?: string }>;
}

interface Property {
  description?: string;
  example?: unknown;
  enum?: unknown[];
  $ref?: string;
  allOf?: unknown[];
  type?: string;
  items?: { $ref?: string; enum?: unknown[] };
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, Property> }> };
};

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
);

const without = (has: (operation: Operation) => unknown) =>
  operations.filter((operation) => !has(operation)).map(({ name }) => name);
/** Calls by mail programs and forms, whose bodies the product ignores. */
const IGNORE_BODIES = [
  'unsubscribe',
  'unsubscribeOneClick',
  'neverAskOneClick',
  'endNotificationMailOneClick',
  'downloadSharedFile',
];
const statuses = ({ responses }: Operation) => Object.keys(responses);

describe('the OpenAPI document', () => {
  it('has unique operation names', () => {
    const names = operations.map((operation) => operation.operationId);
    expect(without((operation) => operation.operationId)).toEqual([]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('describes every operation and its answers', () => {
    expect(without((operation) => operation.summary)).toEqual([]);
    expect(without((operation) => statuses(operation).some((status) => status.startsWith('2')))).toEqual([]);
  });

  it('marks the operations that need a session, and no others, with a lock', () => {
    const open = operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId);
    expect(open).toEqual(
      expect.arrayContaining([
        'login',
        'register',
        'subscribe',
        'unsubscribe',
        'unsubscribeOneClick',
        'undoUnsubscribe',
        'getLive',
        'listPlans',
      ]),
    );
    expect(
      operations
        .filter(({ operationId }) =>
          ['getCurrentUser', 'sendEmail', 'createEmailList', 'changeUser'].includes(operationId!),
        )
        .every(({ security }) => security?.length !== 0),
    ).toBe(true);
    expect(open).toHaveLength(35);
  });

  it('describes the refusal of a body by every call that takes none', () => {
    const silent = without(
      ({ name, requestBody, responses, operationId }) =>
        name.startsWith('GET ') || requestBody || '400' in responses || IGNORE_BODIES.includes(operationId!),
    );
    expect(silent).toEqual([]);
  });

  it('describes every error with the one error body', () => {
    const bare = operations.flatMap(({ name, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .filter(
          ([, response]) => response.content?.['application/json']?.schema?.$ref !== '#/components/schemas/ErrorBody',
        )
        .map(([status]) => `${name} ${status}`),
    );
    expect(bare).toEqual([]);
  });

  it('describes every field, with an example or the values it can have', () => {
    const poor = Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(
          ([, field]) =>
            !field.description ||
            !(
              field.example !== undefined ||
              field.enum ||
              field.$ref ||
              field.allOf ||
              field.items ||
              field.type === 'object' ||
              field.type === 'boolean'
            ),
        )
        .map(([field]) => `${schema}.${field}`),
    );
    expect(poor).toEqual([]);
  });
});
