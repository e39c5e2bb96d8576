//! A caller with a certificate, over TLS, read again when its file changes.

use norma_dev_idp::DevIdpSettings;

use crate::world::{STANDARD, World, norma};

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_gets_tokens_over_tls_and_is_read_again_when_its_file_changes() {
    let world = World::with(DevIdpSettings { tls: true, ..DevIdpSettings::ephemeral() }, &[]).await;
    let (tenant, client) = (world.client.tenant, world.client.client_id);
    let first = world.idp.make_certificate(tenant, client).unwrap();
    let file = world.file("certificate.pem", &format!("{}{}", first.certificate_pem, first.key_pem));
    let trusted = world.idp.certificate_path().unwrap().display().to_string();
    let caller = [
        ("--authority", world.idp.url().to_owned()),
        ("--tenant", tenant.to_string()),
        ("--client-id", client.to_string()),
        ("--scope", "api://norma/.default".to_owned()),
        ("--certificate", file.display().to_string()),
        ("--ca-file", trusted.clone()),
    ];
    let options: Vec<&str> = caller.iter().flat_map(|(name, value)| [*name, value.as_str()]).collect();
    let service = ["--base-url", world.base_url.as_str()];
    let get = [&["get"][..], &options, &service, &["terms", STANDARD]].concat();
    let said = norma(&get);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains(STANDARD), "{}", said.out);
    let said = norma(&[&["doctor", "caller"][..], &options, &service].concat());
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);

    let credential = norma_client::Credential::certificate_files(&file, &file);
    let builder = norma_client::Client::builder(&world.base_url, credential);
    let builder = builder.authority(world.idp.url()).tenant(tenant.to_string()).client_id(client.to_string());
    let builder = builder.scope("api://norma/.default").extra_roots(std::fs::read(&trusted).unwrap());
    world.idp.set_token_lifetime(0);
    let client_of = builder.build().unwrap();
    let key_of = async || {
        let token = client_of.token().await.map_err(|error| error.to_string())?;
        Ok::<_, String>(world.read(&token).await)
    };
    key_of().await.unwrap();
    // An unregistered certificate in the same file: the next token is requested with it.
    let stranger =
        world.idp.make_certificate(tenant, world.idp.register_client(tenant, "Other").unwrap().client_id);
    let stranger = stranger.unwrap();
    world.file("certificate.pem", &format!("{}{}", stranger.certificate_pem, stranger.key_pem));
    assert!(key_of().await.unwrap_err().contains("700027"));
    let second = world.idp.make_certificate(tenant, client).unwrap();
    world.file("certificate.pem", &format!("{}{}", second.key_pem, second.certificate_pem));
    key_of().await.unwrap();
    world.file("certificate.pem", "torn");
    assert!(key_of().await.unwrap_err().contains("PEM"));
}
