import { ApiProperty } from '@nestjs/swagger';

/** State of the process. */
export class HealthDto {
  /**
   * ok, or the answer is a 503
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
