//! Addresses that the admin keeps out, for a time or until the block is lifted.
//! They are stored, and refused at the door.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use parlor_store::{Batch, HouseRecord, PAGE, Store};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api_error::ApiError;
use crate::limits::Address;
use crate::time::now;

/// What a block is kept as.
const KIND: &str = "block";

/// At most so many at a time.
const MOST: usize = 10_000;

/// A blocked address.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Block {
    /// The address; of an IPv6 address the first of its /64, all of which is
    /// blocked.
    #[schema(value_type = String)]
    pub address: IpAddr,
    /// When it ends, in milliseconds since 1970; none: when it is lifted.
    pub until: Option<u64>,
    /// Why, for the admin.
    pub reason: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub since: u64,
}

impl Block {
    fn is_over(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// All blocks there are.
#[derive(Default)]
pub struct Blocks {
    /// Most servers have none, and every request asks.
    any: AtomicBool,
    by_address: RwLock<HashMap<IpAddr, Block>>,
}

impl Blocks {
    /// Reads what is stored. Another server may have changed it.
    pub async fn read(&self, store: &Store) -> Result<(), ApiError> {
        let mut blocks = HashMap::new();
        let mut last: Option<String> = None;
        loop {
            let page = store.house_records(KIND, last.as_deref(), PAGE).await?;
            let is_last = page.len() < PAGE;
            for HouseRecord { id, data, .. } in page {
                let block: Option<Block> =
                    data.as_deref().and_then(|data| serde_json::from_str(data).ok());
                blocks.extend(block.map(|block| (block.address, block)));
                last = Some(id);
            }
            if is_last {
                break;
            }
        }
        self.set(|known| *known = blocks);
        Ok(())
    }

    /// Refuses an address that is blocked.
    pub fn check(&self, from: Address) -> Result<(), ApiError> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let now = now();
        let blocks = self.by_address.read().unwrap_or_else(PoisonError::into_inner);
        match blocks.get(&from.ip()).filter(|block| !block.is_over(now)) {
            None => Ok(()),
            Some(block) => {
                let left = block.until.map(|until| until.saturating_sub(now).div_ceil(1000));
                Err(ApiError::Blocked(left))
            }
        }
    }

    /// The blocks that hold, the newest first.
    pub fn list(&self) -> Vec<Block> {
        let blocks = self.by_address.read().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        let mut list: Vec<_> = blocks.values().filter(|it| !it.is_over(now)).cloned().collect();
        list.sort_by_key(|block| (std::cmp::Reverse(block.since), block.address));
        list
    }

    /// Blocks an address, in place of an earlier block of it.
    pub async fn add(
        &self,
        store: &Store,
        address: IpAddr,
        seconds: Option<u64>,
        reason: Option<String>,
    ) -> Result<Block, ApiError> {
        if self.list().len() >= MOST {
            let sentence = format!("there are {MOST} blocks already; lift some first");
            return Err(ApiError::Malformed(sentence));
        }
        let since = now();
        let until = seconds.map(|seconds| since.saturating_add(seconds.saturating_mul(1000)));
        let block = Block { address: Address::of(address).ip(), until, reason, since };
        let data = serde_json::to_string(&block)
            .map_err(|error| ApiError::Malformed(error.to_string()))?;
        write(store, block.address, Some(data)).await?;
        self.set(|blocks| drop(blocks.insert(block.address, block.clone())));
        Ok(block)
    }

    /// Lifts a block; false if there is none.
    pub async fn lift(&self, store: &Store, address: IpAddr) -> Result<bool, ApiError> {
        let address = Address::of(address).ip();
        let is_known = self.list().iter().any(|block| block.address == address);
        write(store, address, None).await?;
        self.set(|blocks| drop(blocks.remove(&address)));
        Ok(is_known)
    }

    /// Lets go of blocks that are over.
    pub async fn tidy(&self, store: &Store) -> Result<(), ApiError> {
        let now = now();
        let over: Vec<IpAddr> = {
            let blocks = self.by_address.read().unwrap_or_else(PoisonError::into_inner);
            blocks.values().filter(|it| it.is_over(now)).map(|it| it.address).collect()
        };
        for address in over {
            write(store, address, None).await?;
        }
        self.read(store).await
    }

    fn set(&self, change: impl FnOnce(&mut HashMap<IpAddr, Block>)) {
        let mut blocks = self.by_address.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut blocks);
        self.any.store(!blocks.is_empty(), Ordering::Relaxed);
    }
}

async fn write(store: &Store, address: IpAddr, data: Option<String>) -> Result<(), ApiError> {
    let kept = HouseRecord { kind: KIND.to_owned(), id: address.to_string(), data };
    Ok(store.commit(Batch { kept: Some(kept), ..Batch::default() }).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn a_block_holds_for_its_time_and_for_the_whole_household() {
        let store = Store::open("memory:").await.unwrap();
        let blocks = Blocks::default();
        let (home, guest) = (address("2001:db8:1:2::7"), address("2001:db8:1:2:ffff::1"));
        blocks.add(&store, home, Some(60), None).await.unwrap();
        blocks.add(&store, address("203.0.113.7"), None, None).await.unwrap();
        blocks.add(&store, address("203.0.113.8"), Some(0), None).await.unwrap();
        // As another server reads them.
        let others = Blocks::default();
        others.read(&store).await.unwrap();
        for blocks in [&blocks, &others] {
            assert!(matches!(
                blocks.check(Address::of(home)),
                Err(ApiError::Blocked(Some(1..=60)))
            ));
            assert!(blocks.check(Address::of(guest)).is_err());
            assert!(blocks.check(Address::of(address("2001:db8:1:3::7"))).is_ok());
            let mapped = address("::ffff:203.0.113.7");
            assert!(matches!(blocks.check(Address::of(mapped)), Err(ApiError::Blocked(None))));
            assert!(blocks.check(Address::of(address("203.0.113.8"))).is_ok(), "it is over");
            assert_eq!(blocks.list().len(), 2);
        }
        assert!(blocks.lift(&store, guest).await.unwrap());
        assert!(!blocks.lift(&store, guest).await.unwrap());
        assert!(blocks.check(Address::of(home)).is_ok());
        others.tidy(&store).await.unwrap();
        assert_eq!(others.list().len(), 1);
        assert_eq!(store.house_records(KIND, None, 9).await.unwrap().len(), 1);
    }
}
