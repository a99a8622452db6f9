import type { BuiltInTarget } from './targets.js';

/**
 * Header names in exports of Outlook, Gmail, LinkedIn, CRMs and applicant tracking systems, normalised by `headerName`,
 * for each target.
 */
const FIRST_CHOICE: Partial<Record<BuiltInTarget, string>> = {
  email: `email mail emailaddress emailid emailaddresses emails mailid mailaddress email1 email1value email1address emailaddress1 emailvalue
    primaryemail primaryemailaddress workemail workemailaddress businessemail businessemailaddress contactemail contactemailaddress
    companyemail corporateemail officeemail officialemail professionalemail emailwork emailbusiness emailprimary candidateemail
    candidateemailaddress applicantemail applicantemailaddress consultantemail vendoremail vendoremailid recruiteremail clientemail
    manageremail hiringmanageremail recipient recipientemail recipientaddress subscriberemail useremail useremailaddress memberemail
    customeremail leademail personemail toaddress smtpaddress primarysmtpaddress emailto correo correoelectronico emailadresse courriel
    adresseemail adressemail indirizzoemail mailto pocemail pocemailid`,
  name: `name fullname contactname displayname contact person personname candidatename candidate candidatefullname applicantname applicant
    consultantname consultant vendorcontact vendorcontactname recruitername recruiter clientcontact clientcontactname hiringmanager
    hiringmanagername employeename membername subscribername customername leadname recipientname username nameofcontact contactperson
    contactfullname pointofcontact poc pocname nombrecompleto nomcomplet vollstandigername fullnamefirstlast`,
  firstName: `firstname first givenname forename fname namefirst contactfirstname candidatefirstname applicantfirstname firstnamecontact
    recipientfirstname preferredfirstname legalfirstname vorname prenom nombre personfirstname leadfirstname pocfirstname`,
  lastName: `lastname last surname familyname lname namelast contactlastname candidatelastname applicantlastname lastnamecontact
    recipientlastname legallastname secondname nachname nomdefamille apellido apellidos personlastname leadlastname poclastname`,
  company: `company companyname organization organisation organizationname organisationname organization1name employer employername
    currentcompany currentcompanyname currentemployer currentorganization account accountname client clientname clientcompany
    clientcorporation clientcorporationname vendor vendorname vendorcompany vendorcompanyname firm firmname agency agencyname business
    businessname staffingcompany primevendor tier1vendor corporation corporationname latestcompany mostrecentcompany mostrecentemployer
    presentemployer firma unternehmen entreprise societe empresa`,
  jobTitle: `jobtitle position currenttitle currentjobtitle currentposition organization1title organizationtitle designation occupation
    contacttitle candidatetitle persontitle worktitle professionaltitle headline positiontitle jobposition latesttitle mostrecenttitle
    mostrecentjobtitle titlecurrent jobrole currentrole currentdesignation role roletitle stelle poste cargo puesto`,
  phone: `phone phonenumber phoneno phone1 phone1value phonevalue telephone telephonenumber tel mobile mobilephone mobilenumber mobileno
    mobilephonenumber cell cellphone cellnumber cellphonenumber workphone workphonenumber businessphone businessphonenumber primaryphone
    primaryphonenumber mainphone officephone officenumber directphone directphonenumber directdial contactnumber contactno contactphone
    candidatephone applicantphone phonenumbers phonemobile phonework phonecell telefon telefono personphone corporatephone directline ph
    phno mobilecell`,
  city: `city town address1city addresscity businesscity workcity mailingcity currentcity locationcity citytown citylocality contactcity
    candidatecity personcity primarycity billingcity stadt ville ciudad addresslocality`,
  region: `state region province stateprovince stateregion stateorprovince address1region addressstate addressregion businessstate workstate
    mailingstate mailingstateprovince currentstate locationstate statecode usstate contactstate candidatestate personstate primarystate
    billingstate billingstateprovince bundesland estado provincia addressregionstate`,
  country: `country countryregion countryname countrycode address1country addresscountry businesscountryregion businesscountry workcountry
    mailingcountry currentcountry locationcountry contactcountry candidatecountry personcountry primarycountry billingcountry land pays
    pais countryterritory countryofresidence`,
  timeZone: `timezone tz timezonename usertimezone contacttimezone ianatimezone timezoneid localtimezone`,
  skills: `skills skill skillset skillsets keyskills primaryskills primaryskill skilllist technicalskills technologies technology techstack
    coreskills topskills itskills mainskills expertise technicalskillset skilltags specialties specialities`,
  tags: `tags tag labels groups group groupmembership category categories segment segments lists listname contacttags candidatetags
    keywords etiquetas contactgroups`,
  note: `notes note comments comment remarks remark generalcomments generalnotes additionalnotes description contactnotes candidatenotes
    notas recruiternotes memo`,
};

/** Header names that are used only if no column has a name of the first choice. */
const SECOND_CHOICE: Partial<Record<BuiltInTarget, string>> = {
  email: `personalemail personalemailaddress homeemail emailhome emailpersonal emailaddresshome emailaddressother emailaddresswork email2
    email2value email2address email3 email3value email3address emailaddress2 emailaddress3 alternateemail alternateemailaddress
    alternativeemail secondaryemail secondaryemailaddress otheremail additionalemail email4value address`,
  name: `fileas sortname title1name nickname preferredname`,
  firstName: `nickname preferredname`,
  company: `department parentcompany companyparent endclient`,
  jobTitle: `title jobtitles title1 organization2title function seniority`,
  phone: `homephone homephonenumber otherphone phone2 phone2value alternatephone secondaryphone companyphone companymainphone
    companyphonenumber carphone assistantsphone homemobile phonehome`,
  city: `homecity othercity address2city companycity permanentcity location currentlocation`,
  region: `homestate otherstate address2region companystate permanentstate`,
  country: `homecountryregion homecountry othercountryregion address2country companycountry permanentcountry`,
  skills: `secondaryskills secondaryskill otherskills`,
};

/**
 * Endings of headers of columns that describe an address, such as "E-mail 1 - Label" or "Email Status". Such columns
 * contain no address.
 */
const BESIDE_AN_ADDRESS =
  /(label|type|displayname|status|optin|optout|date|time|count|id|verified|valid|validity|score|confidence|bounced|bounce|sent|subject|body|template|domain|consent|permission|source|provider|frequency|foremails?|unsubscribed?|subscribed|opened|clicked|marketing|format)$/;

/** Normalised header: its letters and digits in lower case, without accents. */
export const headerName = (header: string): string =>
  header
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

export interface KnownHeader {
  target: BuiltInTarget;
  isSecond: boolean;
}

const wordsOf = (names: string): string[] => names.split(/\s+/).filter(Boolean);
const entries = (table: Partial<Record<BuiltInTarget, string>>, isSecond: boolean): [string, KnownHeader][] =>
  Object.entries(table).flatMap(([target, names]) =>
    wordsOf(names).map((name): [string, KnownHeader] => [name, { target: target as BuiltInTarget, isSecond }]),
  );

/** All known header names. A name of both choices counts as one of the first choice. */
export const KNOWN_HEADERS: ReadonlyMap<string, KnownHeader> = new Map([
  ...entries(SECOND_CHOICE, true),
  ...entries(FIRST_CHOICE, false),
]);

/** Whether a header looks like that of an address column, although the column contains something else. */
export const isBesideAddress = (name: string): boolean =>
  /mail/.test(name) && !KNOWN_HEADERS.has(name) && BESIDE_AN_ADDRESS.test(name);

/** Headers that look similar to a known one but mean something else. */
const NOWHERE: ReadonlySet<string> = new Set(
  `county middlename suffix prefix zipcode postalcode postcode businessfax homefax otherfax website webpage birthday gender anniversary
   street businessstreet homestreet addressline1 addressline2 workauthorization visastatus availability experience candidateid contactid
   applicantid companyid accountid connectedon dateadded datecreated lastmodified
   homeaddress workaddress businessaddress officeaddress companyaddress streetaddress postaladdress mailingaddress permanentaddress
   currentaddress physicaladdress billingaddress shippingaddress otheraddress fulladdress address1 address2 address3 webaddress ipaddress`.split(
    /\s+/,
  ),
);

/** Whether a column with this header must not be guessed by similarity. */
export const goesNowhere = (name: string): boolean => NOWHERE.has(name) || isBesideAddress(name);

/** Whether a cell of a first row is a known header. */
export const isHeaderName = (cell: string): boolean => cell.length <= 100 && KNOWN_HEADERS.has(headerName(cell));

/** Whether a cell of a first row is the header of addresses. */
export const isAddressHeader = (cell: string): boolean =>
  cell.length <= 100 && KNOWN_HEADERS.get(headerName(cell))?.target === 'email';
