import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, JsonBody, KB, RateLimit } from '../../../shared/http/index.js';
import type { DocumentDto } from '../document/document.dto.js';
import { composeRequirement } from './compose-requirement.js';
import { readRequirements } from './read-requirements.js';
import {
  ComposedRequirementDto,
  ComposeRequirementDto,
  ReadRequirementDto,
  RequirementDto,
} from './requirement.dto.js';

/** Maximum size of a request body: 50,000 characters, each escaped as six bytes at worst. */
const TEXT_BODY = 304 * KB;
/**
 * Maximum size of a request body: a description of 20,000 characters, each escaped as six bytes at worst, and the other
 * fields.
 */
const JOB_BODY = 256 * KB;

@ApiTags('Composing')
@Controller('api/requirements')
export class RequirementsController {
  /** Reads the jobs in a pasted text; an empty array if there are none. The text is neither stored nor logged. */
  @Post('read')
  @JsonBody(TEXT_BODY)
  @RateLimit('requirements')
  @HttpCode(200)
  @ApiOkResponse({ type: [RequirementDto] })
  @ApiErrors(400, 401, 413, 429)
  readRequirement(@Body() { text }: ReadRequirementDto, @Res({ passthrough: true }) res: Response): RequirementDto[] {
    const found = readRequirements(text);
    res.setHeader('X-Total-Count', String(found.length));
    return found;
  }

  /** Composes the subject and message of a post for a job. Nothing is stored. */
  @Post('compose')
  @JsonBody(JOB_BODY)
  @RateLimit('requirements')
  @HttpCode(200)
  @ApiOkResponse({ type: ComposedRequirementDto })
  @ApiErrors(400, 401, 413, 429)
  composeRequirement(@Body() { job }: ComposeRequirementDto): ComposedRequirementDto {
    const { subject, document, hiddenNames } = composeRequirement(job);
    return { subject, document: document as unknown as DocumentDto, hiddenNames };
  }
}
