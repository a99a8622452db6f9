export { BounceListenerModule, BouncesModule, BouncesWorkerModule } from './bounces.module.js';
export { bouncesEntities } from './bounce-report.entity.js';
export { SenderReputationDto } from './reputation.dto.js';
export { SenderReputation } from './sender-reputation.service.js';
export { SuppressionPolicy } from './suppression-policy.service.js';
