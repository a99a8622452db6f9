import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../../errors/app-error.js';

/** Also accepts weak tags, because a load balancer that compresses an answer weakens its tag. */
const TAG = /^(?:W\/)?"(\d{1,9})"$/;

const preconditionRequired = () =>
  new AppError('precondition_required', 428, 'Say in If-Match which version you changed');

/**
 * The versions that the caller's If-Match allows; null for `*`, any version.
 * @throws 428 where the header is missing
 */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): number[] | null => {
  const header = context.switchToHttp().getRequest<Request>().get('if-match')?.trim();
  if (!header) throw preconditionRequired();
  if (header === '*') return null;
  // A tag that this product did not issue matches no version.
  return header.split(',').flatMap((part) => {
    const version = TAG.exec(part.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
});

/** Sets the ETag of a version. */
export const setVersion = (res: Response, version: number): void => void res.setHeader('ETag', `"${version}"`);
