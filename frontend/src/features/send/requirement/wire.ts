import { client } from '../../../api/client';

/** TEMPORARY until the generated client has these calls. */
export interface JobDto {
  title?: string;
  hiringOrganization?: string;
  isClientHidden?: boolean;
  jobLocations?: { city?: string; region?: string }[];
  workMode?: 'remote' | 'hybrid' | 'onsite';
  workModeNote?: string;
  baseSalary?: { min?: number; max?: number; unit: 'HOUR' | 'YEAR'; currency: 'USD' };
  rateNote?: string;
  employmentTypes?: ('C2C' | 'W2' | '1099' | 'FULL_TIME')[];
  duration?: string;
  startDate?: string;
  workAuthorization?: string[];
  experienceYears?: string;
  skills?: { required: string[]; preferred: string[] };
  interview?: string;
  validThrough?: string;
  jobId?: string;
  description?: string;
}
export interface RequirementDto {
  job: JobDto;
  guesses: { field: string; confidence: 'sure' | 'check'; from: number; to: number }[];
  leftOut: {
    emails: number;
    phones: number;
    signature: boolean;
    disclaimer: boolean;
    texts: { kind: 'email' | 'phone' | 'signature' | 'disclaimer'; from: number; to: number }[];
  };
  subject: string;
}
const injected = client.injectEndpoints({
  endpoints: (build) => ({
    readRequirement: build.mutation<RequirementDto[], { readRequirementDto: { text: string } }>({
      query: (arg) => ({ url: '/api/requirements/read', method: 'POST', body: arg.readRequirementDto }),
    }),
    composeRequirement: build.mutation<
      { subject: string; document: Record<string, unknown> },
      { composeRequirementDto: { job: JobDto } }
    >({
      query: (arg) => ({ url: '/api/requirements/compose', method: 'POST', body: arg.composeRequirementDto }),
    }),
  }),
});
export const { useReadRequirementMutation, useComposeRequirementMutation } = injected;
