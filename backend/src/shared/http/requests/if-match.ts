import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../../errors/app-error.js';

/** Accepts weak tags, too, because a load balancer that compresses a response weakens its tag. */
const TAG = /^(?:W\/)?"(\d{1,9})"$/;

const preconditionRequired = () =>
  new AppError('precondition_required', 428, 'Say in If-Match which version you changed');

/**
 * Versions that the caller's If-Match header allows; null for `*`, which allows any version.
 * @throws 428 if the header is missing
 */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): number[] | null => {
  const header = context.switchToHttp().getRequest<Request>().get('if-match')?.trim();
  if (!header) throw preconditionRequired();
  if (header === '*') return null;
  // A tag that was not issued here matches no version.
  return header.split(',').flatMap((part) => {
    const version = TAG.exec(part.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
});

/** Sets the ETag header to a version. */
export const setVersion = (res: Response, version: number): void => void res.setHeader('ETag', `"${version}"`);
