import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { OpenId } from './application/openid';
import { OrganisationAudit } from './application/organisation-audit';
import { Passwords } from './application/passwords';
import { People } from './application/people';
import { PersonStore } from './application/ports/person-store';
import { SavedViewStore } from './application/ports/saved-view-store';
import { SignInStore } from './application/ports/sign-in-store';
import { SavedViews } from './application/saved-views';
import { SignIns } from './application/sign-ins';
import { PeopleChecks } from './infrastructure/people-checks';
import { SqlPersonStore } from './infrastructure/sql-person-store';
import { SqlSavedViewStore } from './infrastructure/sql-saved-view-store';
import { SqlSignInStore } from './infrastructure/sql-sign-in-store';

@Module({
  imports: [AccessModule],
  providers: [
    OpenId,
    OrganisationAudit,
    Passwords,
    People,
    PeopleChecks,
    SavedViews,
    SignIns,
    { provide: PersonStore, useClass: SqlPersonStore },
    { provide: SavedViewStore, useClass: SqlSavedViewStore },
    { provide: SignInStore, useClass: SqlSignInStore },
  ],
  exports: [OpenId, OrganisationAudit, People, SavedViews, SignIns],
})
export class PeopleModule {}
