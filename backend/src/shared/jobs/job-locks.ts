/**
 * How long Bull takes a job for alive after its worker's last word, and how often it looks. Until then the job's name is taken, and
 * no second hint for the same work gets through: so it is less than a delivery's lease. Running a job twice harms nobody.
 */
export const JOB_LOCKS = { lockDuration: 20_000, stalledInterval: 10_000 };
