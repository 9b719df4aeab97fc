/** Expected permissions, written by hand from the specification and the real service's roles; the program is tested against them. */
export interface Expected {
  readonly of: 'account' | 'app' | 'org';
  readonly role?: string;
  readonly readOnly: boolean;
  readonly orSelf: boolean;
}

/** Operation, target, minimum role, and whether read-only tokens are allowed. */
const TABLE = `
users_get                             account                 read-only
users_getUserMetadata                 account                 read-only
users_update                          account
userApiTokens_list                    account
userApiTokens_create                  account
userApiTokens_delete                  account
apps_list                             account                 read-only
apps_create                           account
invitations_sent                      account
appInvitations_accept                 account
appInvitations_reject                 account
orgInvitations_accept                 account
orgInvitations_reject                 account
distributionGroupInvitations_acceptAll account
organizations_list                    account
organizations_createOrUpdate          account
organizations_listAdministered        account
azureSubscription_listForUser         account
dataSubjectRight_exportRequest        account
dataSubjectRight_exportStatusRequest  account
dataSubjectRight_cancelExportRequest  account
dataSubjectRight_deleteRequest        account
dataSubjectRight_deleteStatusRequest  account
dataSubjectRight_cancelDeleteRequest  account

apps_listForOrg                       org member              read-only
apps_createForOrg                     org member
organizations_get                     org member
organizations_update                  org admin
organizations_delete                  org admin
organization_updateAvatar             org admin
organization_deleteAvatar             org admin
users_listForOrg                      org member
users_getForOrg                       org member
users_updateOrgRole                   org admin
users_removeFromOrg                   org admin               or-self
apps_getForOrgUser                    org member
orgInvitations_listPending            org admin
orgInvitations_create                 org admin
orgInvitations_delete                 org admin
orgInvitations_update                 org admin
orgInvitations_sendNewInvitation      org admin
orgInvitations_revoke                 org admin
azureSubscription_listForOrg          org member
teams_listAll                         org member
teams_createTeam                      org collaborator
teams_getTeam                         org member
teams_update                          org member
teams_delete                          org member
teams_getUsers                        org member
teams_addUser                         org member
teams_removeUser                      org member
teams_listApps                        org member
teams_addApp                          org member
teams_updatePermissions               org member
teams_removeApp                       org member
distributionGroups_listForOrg         org member
distributionGroups_createForOrg       org collaborator
distributionGroups_detailsForOrg      org member
distributionGroups_getForOrg          org member
distributionGroups_patchForOrg        org collaborator
distributionGroups_deleteForOrg       org collaborator
distributionGroups_listUsersForOrg    org member
distributionGroups_addUsersForOrg     org collaborator
distributionGroups_bulkDeleteUsers    org collaborator
distributionGroups_resendSharedInvite org collaborator
distributionGroups_getApps            org member
distributionGroups_addApps            org collaborator
distributionGroups_bulkDeleteApps     org collaborator
distributionGroups_listAllTestersForOrg org member

apps_get                              app viewer              read-only
apps_getByUserAddress                 app viewer              read-only
apps_getByOrgAddress                  app viewer              read-only
apps_update                           app manager
apps_delete                           app administrator
apps_updateAvatar                     app manager
apps_deleteAvatar                     app manager
apps_transferOwnership                app administrator
apps_transferToOrg                    app administrator
users_list                            app viewer              read-only
apps_updateUserPermissions            app manager
apps_removeUser                       app manager             or-self
apps_getTeams                         app viewer
apps_listTesters                      app viewer
appInvitations_list                   app viewer
appInvitations_create                 app manager
appInvitations_createByEmail          app manager
appInvitations_updatePermissions      app manager
appInvitations_delete                 app manager
appApiTokens_list                     app developer
appApiTokens_create                   app developer
appApiTokens_delete                   app developer
azureSubscription_listForApp          app viewer
azureSubscription_linkForApp          app manager
azureSubscription_deleteForApp        app manager
webhooks_list                         app viewer
releases_list                         app viewer              read-only
releases_listByDistributionGroup      app viewer              read-only
distributionGroups_list               app viewer
distributionGroups_create             app developer
distributionGroups_get                app viewer
distributionGroups_update             app developer
distributionGroups_delete             app developer
distributionGroups_listUsers          app viewer
distributionGroups_addUser            app developer
distributionGroups_removeUser         app developer
distributionGroups_resendInvite       app developer

exportConfigurations_list             app viewer              read-only
exportConfigurations_get              app viewer              read-only
exportConfigurations_create           app manager
exportConfigurations_partialUpdate    app manager
exportConfigurations_delete           app manager
exportConfigurations_enable           app manager
exportConfigurations_disable          app manager

analytics_versions                    app viewer              read-only
analytics_perDeviceCounts             app viewer              read-only
analytics_sessionDurationsDistribution app viewer             read-only
analytics_sessionCounts               app viewer              read-only
analytics_placeCounts                 app viewer              read-only
analytics_operatingSystemCounts       app viewer              read-only
analytics_modelCounts                 app viewer              read-only
analytics_logFlow                     app viewer              read-only
analytics_languageCounts              app viewer              read-only
analytics_genericLogFlow              app viewer              read-only
analytics_eventPropertyCounts         app viewer              read-only
analytics_eventProperties             app viewer              read-only
analytics_eventCount                  app viewer              read-only
analytics_eventDeviceCount            app viewer              read-only
analytics_eventPerSessionCount        app viewer              read-only
analytics_eventPerDeviceCount         app viewer              read-only
analytics_events                      app viewer              read-only
analytics_eventsDelete                app manager
analytics_eventsDeleteLogs            app manager
analytics_distributionReleaseCounts   app viewer              read-only
analytics_crashFreeDevicePercentages  app viewer              read-only
analytics_crashGroupTotals            app viewer              read-only
analytics_crashGroupOperatingSystemCounts app viewer          read-only
analytics_crashGroupModelCounts       app viewer              read-only
analytics_crashGroupCounts            app viewer              read-only
analytics_crashGroupsTotals           app viewer              read-only
analytics_crashCounts                 app viewer              read-only
analytics_audienceNameExists          app viewer              read-only
analytics_getAudience                 app viewer              read-only
analytics_listAudiences               app viewer              read-only
analytics_createOrUpdateAudience      app developer
analytics_deleteAudience              app developer
analytics_testAudience                app viewer              read-only
analytics_listDevicePropertyValues    app viewer              read-only
analytics_listDeviceProperties        app viewer              read-only
analytics_listCustomProperties        app viewer              read-only
analytics_deviceCounts                app viewer              read-only
app_blockLogs                         app manager
devices_blockLogs                     app manager

errors_listSessionLogs                app viewer              read-only
errors_errorAttachmentText            app viewer              read-only
errors_errorAttachmentLocation        app viewer              read-only
errors_errorAttachments               app viewer              read-only
errors_errorSearch                    app viewer              read-only
errors_putRetentionSettings           app manager
errors_getRetentionSettings           app viewer              read-only
errors_errorFreeDevicePercentages     app viewer              read-only
errors_groupErrorStackTrace           app viewer              read-only
errors_groupOperatingSystemCounts     app viewer              read-only
errors_groupModelCounts               app viewer              read-only
errors_errorStackTrace                app viewer              read-only
errors_errorLocation                  app viewer              read-only
errors_errorDownload                  app viewer              read-only
errors_getErrorDetails                app viewer              read-only
errors_deleteError                    app developer
errors_latestErrorDetails             app viewer              read-only
errors_listForGroup                   app viewer              read-only
errors_groupErrorFreeDevicePercentages app viewer             read-only
errors_groupCountsPerDay              app viewer              read-only
errors_groupDetails                   app viewer              read-only
errors_updateState                    app developer
errors_errorGroupsSearch              app viewer              read-only
errors_groupList                      app viewer              read-only
errors_countsPerDay                   app viewer              read-only
errors_availableVersions              app viewer              read-only
errors_appBuildsList                  app viewer              read-only

crashes_getAppVersions                app viewer              read-only
crashes_getAppCrashesInfo             app viewer              read-only
crashes_listSessionLogs               app viewer              read-only
crashes_getCrashTextAttachmentContent app viewer              read-only
crashes_getCrashAttachmentLocation    app viewer              read-only
crashes_listAttachments               app viewer              read-only
crashes_getStacktrace                 app viewer              read-only
crashes_getRawCrashLocation           app viewer              read-only
crashes_getNativeCrashDownload        app viewer              read-only
crashes_getNativeCrash                app viewer              read-only
crashes_get                           app viewer              read-only
crashes_delete                        app developer
crashes_list                          app viewer              read-only
crashGroups_getStacktrace             app viewer              read-only
crashGroups_get                       app viewer              read-only
crashGroups_update                    app developer
crashGroups_list                      app viewer              read-only

symbolUploads_getLocation             app viewer              read-only
symbolUploads_get                     app viewer              read-only
symbolUploads_list                    app viewer              read-only
symbolUploads_create                  app developer
symbolUploads_complete                app developer
symbolUploads_delete                  app developer
symbols_getStatus                     app viewer              read-only
symbols_getLocation                   app viewer              read-only
symbols_get                           app viewer              read-only
symbols_list                          app viewer              read-only
symbols_ignore                        app developer
missingSymbolGroups_info              app viewer              read-only
missingSymbolGroups_get               app viewer              read-only
missingSymbolGroups_list              app viewer              read-only
`;

export const EXPECTED: Readonly<Record<string, Expected>> = Object.fromEntries(
  TABLE.split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([id]) => id !== '')
    .map(([id, of, ...rest]) => {
      const words = new Set(rest);
      const role = rest.find((word) => word !== 'read-only' && word !== 'or-self');
      const expected = {
        of,
        ...(role !== undefined && { role }),
        readOnly: words.has('read-only'),
        orSelf: words.has('or-self'),
      };
      return [id, expected as Expected];
    }),
);
