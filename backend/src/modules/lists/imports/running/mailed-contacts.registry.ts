import { Injectable } from '@nestjs/common';

/**
 * Holds an SQL condition of the module that knows deliveries. That module depends on lists, so it registers the
 * condition at start.
 */
@Injectable()
export class MailedContacts {
  private condition = 'false';

  /**
   * Registers the condition; called once, at start.
   * @param sql condition over the alias `c` of a contact: a message of a send has reached it, or is on its way
   */
  provide(sql: string): void {
    this.condition = sql;
  }

  get sql(): string {
    return this.condition;
  }
}
