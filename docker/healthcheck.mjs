// Healthy means that the process lives; whether it is ready is the load balancer's and the orchestrator's question.
const port = ['worker', 'bounces'].includes(process.env.ROLE) ? process.env.WORKER_PORT : process.env.PORT;
const answer = await fetch(`http://127.0.0.1:${port}/api/health/${process.argv[2] ?? 'live'}`, {
  signal: AbortSignal.timeout(2500),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
