import { Controller, Get, Header, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../shared/http/index.js';
import { Visits } from './visits.service.js';

const LONGEST = 200;

/** The mailed and shared address /invite/{code}: a page's address, not a call of the API. */
@ApiExcludeController()
@Controller('invite')
@Public()
export class InvitePageController {
  constructor(private readonly visits: Visits) {}

  /** Without a code there is nobody to remember */
  @Get()
  @Redirect('/register', 302)
  withoutCode(): void {}

  /** Remembers the visitor and goes on to the form, whatever the code is worth */
  @Get(':code')
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  @Redirect()
  async withCode(@Param('code') code: string, @Req() req: Request, @Res({ passthrough: true }) res: Response): Promise<{ url: string; statusCode: number }> {
    if (req.method === 'GET') await this.visits.note(code, req, res);
    return { url: code.length > LONGEST ? '/register' : `/register?ref=${encodeURIComponent(code)}`, statusCode: 302 };
  }
}
