import { Global, Injectable, Module } from '@nestjs/common';

/** Rows of an account that are deleted in batches before the account's own row. */
export interface ErasureRule {
  /** `details` go before the `parents` that they would be deleted with, all at once. */
  step: 'details' | 'parents';
  table: string;
  /** Condition on the table's rows, aliased `t`; one `?` for the account's id. */
  where: string;
  /** Rows a statement. */
  batch: number;
}

/** What a large account holds so much of that one DELETE would take minutes: each module adds its tables when it starts, auth empties them. */
@Injectable()
export class ErasureRules {
  private readonly rules: ErasureRule[] = [];

  add(...rules: ErasureRule[]): void {
    this.rules.push(...rules);
  }

  inOrder(): ErasureRule[] {
    return (['details', 'parents'] as const).flatMap((step) => this.rules.filter((rule) => rule.step === step));
  }
}

@Global()
@Module({ providers: [ErasureRules], exports: [ErasureRules] })
export class ErasureModule {}
