import { Body, Controller, Get, Param, Patch, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  limitSearches,
  RateLimit,
  type RequestUser,
} from '../../../shared/http/index.js';
import { Companies } from './companies.service.js';
import { CompanyDto, CompanyQuery, UpdateCompanyDto } from './company.dto.js';

/** The companies of the account's contacts. */
@ApiTags('contacts')
@Controller('api/companies')
export class CompaniesController {
  constructor(private readonly companies: Companies) {}

  /**
   * The companies at which the account has contacts. `search` takes a part of the domain or name; `sort` takes
   * contacts, lastMailedAt or domain, with `-` for descending.
   */
  @Get()
  @ApiOkResponse({ type: [CompanyDto] })
  @ApiErrors(400, 401, 429)
  listCompanies(
    @CurrentUser() user: RequestUser,
    @Query() query: CompanyQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<CompanyDto[] | StreamableFile> {
    return collection(
      res,
      query,
      limitSearches(
        user,
        (part: CompanyQuery & { limit: number }) => this.companies.page(user.id, part),
        // Every query is costly, because companies are counted from all contacts.
        () => true,
      ),
    );
  }

  /** Changes the name, kind, cap or note of a company. */
  @Patch(':domain')
  @RateLimit('contacts')
  @ApiOkResponse({ type: CompanyDto })
  @ApiErrors(400, 401, 404, 429)
  updateCompany(
    @CurrentUser() user: RequestUser,
    @Param('domain') domain: string,
    @Body() body: UpdateCompanyDto,
  ): Promise<CompanyDto> {
    return this.companies.update(user.id, domain, body);
  }
}
