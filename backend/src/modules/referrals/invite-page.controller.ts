import { Controller, Get, Header, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../shared/http/index.js';
import { Visits } from './visits.service.js';

const MAX_CODE_LENGTH = 200;

/** The URL /invite/{code}, which users share: a page outside the API. */
@ApiExcludeController()
@Controller('invite')
@Public()
export class InvitePageController {
  constructor(private readonly visits: Visits) {}

  /** Without a code there is no referrer to remember */
  @Get()
  @Redirect('/register', 302)
  withoutCode(): void {}

  /** Remembers the referrer and redirects to the registration form, also for an unknown code */
  @Get(':code')
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  @Redirect()
  async withCode(
    @Param('code') code: string,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<{ url: string; statusCode: number }> {
    if (req.method === 'GET') await this.visits.note(code, req, res);
    return {
      url: code.length > MAX_CODE_LENGTH ? '/register' : `/register?ref=${encodeURIComponent(code)}`,
      statusCode: 302,
    };
  }
}
