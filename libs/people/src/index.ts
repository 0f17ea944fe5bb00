export { type Begun, OpenId } from './application/openid';
export { type NewPerson, People } from './application/people';
export { type Identity } from './application/ports/person-store';
export { type SignIn } from './application/ports/sign-in-store';
export { type SignedIn, SignIns } from './application/sign-ins';
export { type Purpose } from './domain/limits';
export { type Person, type Roles } from './domain/person';
export { checkMembers, isRole, mayCall, mayPublish, operationsOf, type Role, ROLES, seesKeys } from './domain/roles';
export { PeopleModule } from './people.module';
