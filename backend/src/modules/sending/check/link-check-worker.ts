import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { HostLookup } from './host-lookup.js';
import { LinkChecks } from './link-checks.service.js';

/** Maximum number of concurrent lookups. */
const CONCURRENT_LOOKUPS = 10;

/** Looks up the hosts that messages link to. */
@JobHandler('link-checks', CONCURRENT_LOOKUPS)
export class LinkCheckWorker implements HandlesJob<'link-checks'> {
  constructor(
    private readonly hosts: HostLookup,
    private readonly links: LinkChecks,
  ) {}

  async handle({ host }: { host: string }): Promise<void> {
    await this.links.note(host, await this.hosts.of(host));
  }
}
