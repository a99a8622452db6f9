import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { AbsentIfEmpty, AbsentIfNull } from '../../../shared/http/index.js';
import { MANY_LINES, ONE_LINE, ONE_LINE_FAULT } from '../../../shared/text/one-line.js';
import {
  EMPLOYMENT_TYPES,
  type EmploymentType,
  type Job,
  JOB_LIMITS,
  type JobLocation,
  type JobSalary,
  SALARY_UNITS,
  type SalaryUnit,
  WORK_MODES,
  type WorkMode,
} from './job.js';

/** One line of text; empty counts as absent. */
const JobLine = (): PropertyDecorator =>
  applyDecorators(
    AbsentIfEmpty(),
    IsOptional(),
    Matches(ONE_LINE, { message: ONE_LINE_FAULT }),
    MaxLength(JOB_LIMITS.line),
    IsString(),
  );

const trimmedEach = ({ value }: { value: unknown }): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'string' ? one.trim() : one)) : value;

/** Lines of text, none of them empty. */
const JobLines = (most: number): PropertyDecorator =>
  applyDecorators(
    Transform(trimmedEach),
    Matches(ONE_LINE, { each: true, message: ONE_LINE_FAULT }),
    MaxLength(JOB_LIMITS.line, { each: true }),
    IsNotEmpty({ each: true }),
    IsString({ each: true }),
    ArrayMaxSize(most),
    IsArray(),
  );

const Amount = (): PropertyDecorator =>
  applyDecorators(
    AbsentIfNull(),
    IsOptional(),
    Max(JOB_LIMITS.salary),
    Min(0),
    IsNumber({ allowNaN: false, allowInfinity: false }),
  );

const NotBelowMin = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'notBelowMin',
      validator: {
        validate: (max: unknown, given) => {
          const { min } = (given?.object ?? {}) as JobSalary;
          return typeof max !== 'number' || typeof min !== 'number' || max >= min;
        },
      },
    },
    { message: 'The highest rate must not be below the lowest' },
  );

/** Where the work is done. */
export class JobLocationDto implements JobLocation {
  /**
   * City
   * @example 'Hartford'
   */
  @JobLine()
  city?: string;

  /**
   * State by its two letters, or another region
   * @example 'CT'
   */
  @JobLine()
  region?: string;
}

/** Pay of the job. A single amount has `min` only, "up to" has `max` only. */
export class JobSalaryDto implements JobSalary {
  /**
   * Lowest amount
   * @example 60
   */
  @Amount()
  min?: number;

  /**
   * Highest amount
   * @example 65
   */
  @NotBelowMin()
  @Amount()
  max?: number;

  /** Period for which the amount is paid */
  @ApiProperty({ enum: SALARY_UNITS, example: 'HOUR' })
  @IsIn(SALARY_UNITS)
  unit: SalaryUnit;

  /** Always US dollars */
  @ApiProperty({ enum: ['USD'], example: 'USD' })
  @IsIn(['USD'])
  currency = 'USD' as const;
}

/** Skills, by their names in the vocabulary or as written. */
export class JobSkillsDto {
  /**
   * Required skills, at most 40
   * @example ['Java', 'Spring Boot', 'Kubernetes']
   */
  @JobLines(JOB_LIMITS.skills)
  required: string[] = [];

  /**
   * Preferred skills, at most 40
   * @example ['Kafka']
   */
  @JobLines(JOB_LIMITS.skills)
  preferred: string[] = [];
}

/** A job posting. Absent parts are unknown; texts are one line of at most 200 characters. */
export class JobDto implements Job {
  /**
   * Title
   * @example 'Sr Java Developer'
   */
  @JobLine()
  title?: string;

  /**
   * Name of the hiring client
   * @example 'Riverbank Insurance'
   */
  @JobLine()
  hiringOrganization?: string;

  /**
   * Whether the post leaves out the client's name
   * @example true
   */
  @IsBoolean()
  isClientHidden: boolean = true;

  /** Where the work is done, at most 5 places */
  @ApiProperty({ type: [JobLocationDto] })
  @ValidateNested({ each: true })
  @Type(() => JobLocationDto)
  @ArrayMaxSize(JOB_LIMITS.locations)
  @IsArray()
  jobLocations: JobLocationDto[] = [];

  /** Work mode */
  @ApiProperty({ enum: WORK_MODES, required: false, example: 'hybrid' })
  @AbsentIfNull()
  @IsOptional()
  @IsIn(WORK_MODES)
  workMode?: WorkMode;

  /**
   * Details of the work mode
   * @example '3 days a week'
   */
  @JobLine()
  workModeNote?: string;

  /** Pay in numbers */
  @ApiProperty({ type: JobSalaryDto, required: false })
  @AbsentIfNull()
  @IsOptional()
  @ValidateNested()
  @Type(() => JobSalaryDto)
  baseSalary?: JobSalaryDto;

  /**
   * Words instead of a rate, or in addition to it
   * @example 'DOE'
   */
  @JobLine()
  rateNote?: string;

  /** Terms of employment */
  @ApiProperty({ enum: EMPLOYMENT_TYPES, isArray: true, example: ['C2C', 'W2'] })
  @IsIn(EMPLOYMENT_TYPES, { each: true })
  @ArrayMaxSize(EMPLOYMENT_TYPES.length)
  @IsArray()
  employmentTypes: EmploymentType[] = [];

  /**
   * Duration of the job
   * @example '12+ months'
   */
  @JobLine()
  duration?: string;

  /**
   * Start date, as written
   * @example 'ASAP'
   */
  @JobLine()
  startDate?: string;

  /**
   * Work authorisation as written, at most 10
   * @example ['Any visa']
   */
  @JobLines(JOB_LIMITS.authorizations)
  workAuthorization: string[] = [];

  /**
   * Years of experience
   * @example '8+'
   */
  @JobLine()
  experienceYears?: string;

  /** Skills that the job requires or prefers */
  @ApiProperty({ type: JobSkillsDto })
  @IsDefined()
  @ValidateNested()
  @Type(() => JobSkillsDto)
  skills: JobSkillsDto = new JobSkillsDto();

  /**
   * How candidates are interviewed
   * @example 'Phone, then video'
   */
  @JobLine()
  interview?: string;

  /**
   * Deadline for profiles, as written
   * @example 'Friday'
   */
  @JobLine()
  validThrough?: string;

  /**
   * Number of the requirement at the client or vendor
   * @example 'REQ-20419'
   */
  @JobLine()
  jobId?: string;

  /**
   * Duties and everything else without a field of its own, at most 20,000 characters, with line breaks
   * @example 'Build claim services with Spring Boot.'
   */
  @AbsentIfEmpty()
  @IsOptional()
  @Matches(MANY_LINES, { message: '$property must not contain control characters' })
  @MaxLength(JOB_LIMITS.description)
  @IsString()
  description?: string;
}
