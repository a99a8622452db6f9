import { describe, expect, it } from '@jest/globals';
import { serializeError } from './error-serializer.js';

describe('errors in the log', () => {
  it("keep the database's message and drop the statement with its values", () => {
    const error = Object.assign(
      new Error(
        `insert into "users" ("email") values ('ann@sender.test') - duplicate key value violates unique constraint "users_email_unique"`,
      ),
      { code: '23505' },
    );
    const logged = serializeError(error);
    expect(logged).toMatchObject({
      code: '23505',
      message: 'duplicate key value violates unique constraint "users_email_unique"',
    });
    expect(JSON.stringify(logged)).not.toContain('ann@sender.test');
  });

  it('contain no tokens, at any depth of causes', () => {
    const cause = new Error('GET /api/unsubscribe/abcdefghijklmnopqrstuvwxyz failed');
    const text = JSON.stringify(serializeError(new Error('outer', { cause })));
    expect(text).toContain('abcdef…');
    expect(text).not.toContain('ghijkl');
  });

  it('accept values that are no errors', () => {
    expect(serializeError('select 1 - no')).toEqual({ type: 'string', message: 'no' });
  });
});
