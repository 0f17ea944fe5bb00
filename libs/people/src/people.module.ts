import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { OpenId } from './application/openid';
import { Passwords } from './application/passwords';
import { People } from './application/people';
import { PersonStore } from './application/ports/person-store';
import { SignInStore } from './application/ports/sign-in-store';
import { SignIns } from './application/sign-ins';
import { PeopleChecks } from './infrastructure/people-checks';
import { SqlPersonStore } from './infrastructure/sql-person-store';
import { SqlSignInStore } from './infrastructure/sql-sign-in-store';

@Module({
  imports: [AccessModule],
  providers: [
    OpenId,
    Passwords,
    People,
    PeopleChecks,
    SignIns,
    { provide: PersonStore, useClass: SqlPersonStore },
    { provide: SignInStore, useClass: SqlSignInStore },
  ],
  exports: [OpenId, People, SignIns],
})
export class PeopleModule {}
