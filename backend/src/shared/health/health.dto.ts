import { ApiProperty } from '@nestjs/swagger';

/** Health of the process. */
export class HealthDto {
  /**
   * Always `ok`; a process that is not ready answers 503
   * @example "ok"
   */
  status: string;

  /** State of each part */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { database: 'up', queue: 'up', migrations: 'up' },
  })
  parts: Record<string, string>;
}
